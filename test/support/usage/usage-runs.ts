import fc from 'fast-check';
import type { UsageRecorded } from '#proto/saring/events/v1/usage.ts';
import { usageEvent } from './usage-events.ts';

export const NOON = Date.UTC(2026, 10, 20, 5);

/** Each recorded state of a run, in order. */
export type RecordedRun = UsageRecorded[];

/**
 * Random runs, each of one of these keys. Moments, users, models and channels have few values, so that ties and filters matter.
 * Neighbouring moments are `pauseMs` apart.
 */
export function someRuns(
  prefix: string,
  { keys, maxLength = 30, pauseMs = 1_000 }: { keys: string[]; maxLength?: number; pauseMs?: number },
): fc.Arbitrary<RecordedRun[]> {
  const run = fc.record({
    moment: fc.nat(6),
    api_key_id: fc.constantFrom(...keys),
    channel: fc.constantFrom('api', 'telegram'),
    actor: fc.constantFrom('sch_1', '628111'),
    end_user: fc.constantFrom('ani', 'budi'),
    model_id: fc.constantFrom('recovery_v4', 'confluence_filter'),
    status: fc.constantFrom('started', 'failed', 'succeeded', 'interrupted'),
    duration_seconds: fc.integer({ min: 1, max: 8 }),
  });
  return fc.array(run, { maxLength, size: 'max' }).map((runs) =>
    runs.map(({ moment, status, duration_seconds, ...drawn }, index) => {
      const event_id = `ue_${prefix}${index.toString(16).padStart(4, '0')}`;
      const started = usageEvent({ ...drawn, event_id, ts: new Date(NOON + moment * pauseMs) });
      return status === 'started' ? [started] : [started, { ...started, status, duration_seconds }];
    }),
  );
}

/** The state that counts: the last one. */
export const latestOf = (run: RecordedRun): UsageRecorded => run.at(-1)!;

/** The order that the reference promises: newest first, ties by event id. */
export function newestFirst(events: UsageRecorded[]): UsageRecorded[] {
  const before = (a: UsageRecorded, b: UsageRecorded) =>
    b.ts!.getTime() - a.ts!.getTime() || (a.event_id < b.event_id ? 1 : -1);
  return events.toSorted(before);
}

export interface RunFilter {
  api_key_id?: string | undefined;
  channel?: string | undefined;
  end_user?: string | undefined;
  model_id?: string | undefined;
  status?: string | undefined;
  since: Date | undefined;
  until: Date | undefined;
}

/** Filters of which most are open, so that some events pass even if all filters apply. */
export function someFilters(keys: string[], pauseMs = 1_000): fc.Arbitrary<RunFilter> {
  const rarely = <T>(...values: T[]) => fc.constantFrom(undefined, undefined, undefined, ...values);
  return fc.record({
    api_key_id: rarely(...keys),
    channel: rarely('api', 'telegram'),
    end_user: rarely('ani'),
    model_id: rarely('recovery_v4'),
    status: rarely('started', 'failed'),
    since: rarely(new Date(NOON + 2 * pauseMs)),
    until: rarely(new Date(NOON + 5 * pauseMs)),
  });
}

/** The meaning of a filter, applied in memory. */
export function matches({ since, until, ...same }: RunFilter, event: UsageRecorded): boolean {
  const { ts } = event;
  const wanted = Object.entries(same).every(
    ([name, value]) => value === undefined || event[name as keyof UsageRecorded] === value,
  );
  return wanted && (since === undefined || ts! >= since) && (until === undefined || ts! < until);
}

import type { BackfillsServiceService } from '#proto/saring/models/v1/backfills.ts';
import type { RunsServiceService } from '#proto/saring/models/v1/runs.ts';
import type { Handlers } from '#shared/grpc/server.ts';
import { Jobs } from './jobs.ts';
import { Runs, type RunsDependencies } from './runs.ts';
import { runsHandlers } from './server.ts';
import { unavailable } from './unavailable.ts';

type RunsHandlers = Handlers<RunsServiceService>;

/**
 * Runs in a process that has not found NATS since its start: they are accepted, so that no caller is left in doubt
 * about one which this process' predecessor may have written, and read. The sweeper sends and records them once NATS is
 * there.
 */
export function handlersWithoutNats(
  deps: Pick<RunsDependencies, 'store' | 'keys' | 'submissions' | 'dates' | 'newId'>,
  stopping: AbortSignal,
): RunsHandlers {
  const later = async () => 'away' as const;
  const never = () => {
    throw unavailable();
  };
  const runs = new Runs({
    ...deps,
    requests: { send: later },
    usage: { record: later },
    watchers: { nextUpdate: never },
    cancellations: { cancel: never },
  });
  const live = { find: async () => undefined, jobs: async () => new Set<string>(), artefact: never };
  return runsHandlers({ runs, jobs: new Jobs({ live, clock: deps.dates.clock }), live, stopping });
}

/** Backfills need the streams from their first day on. */
export function backfillHandlersWithoutNats(): Handlers<BackfillsServiceService> {
  const never = () => {
    throw unavailable();
  };
  return {
    startBackfill: never,
    getBackfill: never,
    listBackfills: never,
    listBackfillPages: never,
    cancelBackfill: never,
  };
}

type AnyHandlers = Record<string, (...call: never[]) => unknown>;

/** Handlers that others can take the place of while calls come in. */
export class ReplaceableHandlers<H extends object> {
  readonly handlers: H;
  #present: H;

  constructor(first: H) {
    this.#present = first;
    const delegates = Object.keys(first).map((name) => [
      name,
      (...call: never[]) => (this.#present as AnyHandlers)[name]!(...call),
    ]);
    this.handlers = Object.fromEntries(delegates) as H;
  }

  replaceBy(next: H): void {
    this.#present = next;
  }
}

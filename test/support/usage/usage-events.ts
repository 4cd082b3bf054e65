import type { ClickHouseClient } from '@clickhouse/client';
import { UsageRecorded } from '#proto/saring/events/v1/usage.ts';
import { randomId } from '#foundation/ids.ts';
import type { Nats } from '#platform/nats/connection.ts';
import { subjects } from '#platform/nats/subjects.ts';

/** A usage event as the models service publishes it, with defaults for missing fields. */
export function usageEvent(given: Partial<UsageRecorded> = {}): UsageRecorded {
  return {
    event_id: randomId('ue'),
    ts: new Date(),
    channel: 'api',
    api_key_id: 'key_a',
    end_user: 'user-1',
    model_id: 'confluence_filter',
    params: { lookback: 5, min_signals: 2 },
    status: 'started',
    duration_seconds: 0,
    summary: undefined,
    job_id: randomId('job'),
    request_id: randomId('req'),
    actor: given.api_key_id ?? 'key_a',
    ...given,
  };
}

/** The event in the final state of a successful run. */
export function succeeded(event: UsageRecorded): UsageRecorded {
  const summary = { pick_count: 2, tickers: ['BBCA', 'ADRO'], target_date: '2026-11-19' };
  return { ...event, status: 'succeeded', duration_seconds: 0.75, summary };
}

/** Publishes and waits until the stream has it. Another `msgID` makes a repetition look like a new message. */
export async function publishUsage({ js }: Nats, event: UsageRecorded, msgID?: string): Promise<void> {
  const bytes = UsageRecorded.encode(event).finish();
  await js.publish(subjects.usage(event.status), bytes, {
    msgID: msgID ?? `${event.event_id}.${event.status}`,
  });
}

/** Writes events directly into the ledger, without NATS and the sink, so that a test controls what it holds and when. */
export async function insertUsage(sql: ClickHouseClient, events: UsageRecorded[]): Promise<void> {
  if (events.length === 0) return;
  const values = events.map(({ summary, ...event }) => ({
    ...event,
    ts: event.ts!.toISOString().replace('T', ' ').replace('Z', ''),
    params: JSON.stringify(event.params),
    pick_count: summary?.pick_count ?? null,
    tickers: summary?.tickers ?? [],
    target_date: summary?.target_date ?? null,
    state_version: event.status === 'started' ? 1 : 2,
  }));
  await sql.insert({
    table: 'usage.event',
    values,
    format: 'JSONEachRow',
    clickhouse_settings: { async_insert: 0 },
  });
}

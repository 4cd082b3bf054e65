import { Counter } from 'prom-client';
import { traceOf } from '#shared/nats/trace-headers.ts';
import { DurationHistogram } from '#shared/operations/duration-histogram.ts';
import { recordSpan } from '#shared/operations/tracing.ts';
import type { HeldMessage } from './held-messages.ts';

const rows = new Counter({
  name: 'saring_usage_rows_total',
  help: 'Changes of runs that were written into the usage ledger, by the state they report.',
  labelNames: ['status'],
});
const delay = new DurationHistogram({
  name: 'saring_usage_delay_seconds',
  help: 'From when the stream took a change of a run to when it was in the usage ledger.',
  labelNames: [],
}).of();

/** Counts what was stored just now, and ends the traces of these runs. */
export function countStored(batch: Pick<HeldMessage, 'message' | 'row'>[]): void {
  const nowMs = Date.now();
  for (const { message, row } of batch) {
    rows.inc({ status: row.status });
    const sentMs = message.time.getTime();
    delay.observe(Math.max(0, (nowMs - sentMs) / 1_000));
    const parent = traceOf(message);
    if (parent)
      recordSpan({ name: 'ledger row', kind: 'consumer', parent, startMs: sentMs }, { endMs: nowMs });
  }
}

import { UsageRecorded } from '#proto/saring/events/v1/usage.ts';
import { readUsageMessage } from '#services/usage/ledger-row.ts';
import { MAX_BATCH } from '#services/usage/usage-sink.ts';
import type { LedgerWriter } from '#services/usage/store/ledger-writer.ts';
import { succeeded, usageEvent } from '#support/usage/usage-events.ts';
import type { Figure } from '../report.ts';

const BATCH = MAX_BATCH;
const BATCHES = 30;

/** Batches one after the other, as the sink writes them: each on the disk before the next is begun. */
export async function ingestFigure(writer: LedgerWriter): Promise<Figure> {
  const batches = Array.from({ length: BATCHES }, (_, index) => batchOf(index % 2 === 0));
  const begun = performance.now();
  for (const batch of batches) await writer.insert(batch.map(readUsageMessage));
  const perSecond = (BATCH * BATCHES) / ((performance.now() - begun) / 1_000);
  return {
    what: `usage events into ClickHouse, decoded and stored in batches of ${BATCH.toLocaleString('en')}`,
    measured: `${Math.round(perSecond).toLocaleString('en')} a second`,
  };
}

function batchOf(isFinal: boolean): Uint8Array[] {
  return Array.from({ length: BATCH }, (_, index) => {
    const event = usageEvent({ api_key_id: `key_${index % 50}`, end_user: `user-${index % 500}` });
    return UsageRecorded.encode(isFinal ? succeeded(event) : event).finish();
  });
}

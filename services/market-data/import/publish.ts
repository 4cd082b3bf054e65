import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import type { ClickHouseClient } from '#shared/clickhouse/clickhouse.ts';
import type { Clock } from '#shared/clock.ts';
import type { DatasetStore } from '../store/dataset-store.ts';
import { dropDraft } from '../store/leftovers.ts';
import type { ImportOrder } from './import-source.ts';

/**
 * Publishes a version that is stored whole, and has it served: a row each in `market.dataset` and `market.served`. A
 * version is published at a later time than every other one, whatever the clock did. When the second row cannot be
 * written the first one is removed; a process that dies between them leaves a version that is listed and not served.
 */
export async function publish(
  deps: { client: ClickHouseClient; store: DatasetStore; clock: Clock },
  stored: Omit<Dataset, 'published_at'>,
  order: Omit<ImportOrder, 'mayShrink'> & { reason: string },
): Promise<Dataset> {
  const { client, store, clock } = deps;
  const { version } = stored;
  const [newest] = await store.list();
  const publishedAt = Math.max(clock().getTime(), (newest?.published_at?.getTime() ?? 0) + 1);
  const dataset = { ...stored, published_at: new Date(publishedAt) };
  const isListed = async () => (await store.list()).some((other) => other.version === version);
  const isServed = async () => (await store.served())?.version === version;
  try {
    await evenIfUnanswered(store.insert(dataset), isListed);
    await evenIfUnanswered(store.serve({ version, ...order }, clock()), isServed);
  } catch (error) {
    if (error instanceof InDoubt) throw error.cause;
    await store.remove(version);
    await dropDraft(client, version);
    throw error;
  }
  return dataset;
}

/** Nobody can say now whether a row was written; what it may belong to must stay. */
class InDoubt extends Error {}

/** An insert whose answer was lost may have been done nevertheless. */
async function evenIfUnanswered(insert: Promise<void>, isDone: () => Promise<boolean>): Promise<void> {
  try {
    await insert;
  } catch (error) {
    const found = await isDone().catch(() => {
      throw new InDoubt('', { cause: error });
    });
    if (!found) throw error;
  }
}

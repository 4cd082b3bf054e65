import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import type { ClickHouseClient } from '#shared/clickhouse.ts';
import type { Clock } from '#shared/clock.ts';
import type { DatasetStore } from '../store/dataset-store.ts';
import { dropDraft } from '../store/leftovers.ts';

/**
 * Publishes a version that is stored whole with one last insert. Its time is later than that of every other version,
 * whatever the clock did: the newest is the one that answers. What could not be published is removed.
 */
export async function publish(
  { client, store, clock }: { client: ClickHouseClient; store: DatasetStore; clock: Clock },
  stored: Omit<Dataset, 'published_at'>,
): Promise<Dataset> {
  const newest = await store.newest();
  const publishedAt = Math.max(clock().getTime(), (newest?.published_at?.getTime() ?? 0) + 1);
  const dataset = { ...stored, published_at: new Date(publishedAt) };
  try {
    await store.insert(dataset);
  } catch (error) {
    // The answer may have been lost and not the row: then the version is published, and its rows must stay.
    const isPublished = (await store.list()).some(({ version }) => version === dataset.version);
    if (!isPublished) {
      await dropDraft(client, dataset.version);
      throw error;
    }
  }
  return dataset;
}

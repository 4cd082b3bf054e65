import type { NatsConnection } from '@nats-io/transport-node';
import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import type { DatasetFeed } from '#shared/dataset-feed.ts';
import { subjects } from '#shared/nats/subjects.ts';
import type { DatasetInUse } from './in-memory/dataset-in-use.ts';

/** A version to be served that this service cannot load in time is served as soon as it can. */
const SERVED_WITHIN_MS = 10_000;

/**
 * Returns when this process answers from the version to be served, and then notifies every other process: all loading
 * it at the same moment would delay the import's answer.
 */
export async function announce(
  { nats, feed, inUse }: { nats: NatsConnection; feed: DatasetFeed; inUse: DatasetInUse },
  { version }: Dataset,
): Promise<void> {
  await feed.look();
  await inUse.serves(version, SERVED_WITHIN_MS);
  if (!nats.isClosed()) nats.publish(subjects.datasetPublished, version);
}

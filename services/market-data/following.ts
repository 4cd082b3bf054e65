import type { DatasetFeed } from '#shared/dataset-feed.ts';
import type { Logger } from '#shared/logger.ts';
import type { StorePreparation } from './store/preparation.ts';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import { subjects } from '#shared/nats/subjects.ts';
import type { DatasetInUse } from './in-memory/dataset-in-use.ts';
import { endedWithin } from '#shared/waiting.ts';

/** With ClickHouse away the service starts all the same, and prepares the store when it is back. */
const PREPARED_WITHIN_MS = 1_500;

/** Prepares the store and then follows what is published; returns when it does, or cannot for now. */
export async function startFollowing(
  preparation: StorePreparation,
  feed: DatasetFeed,
  log: Logger,
): Promise<void> {
  const prepared = preparation.untilReady(log).then((isReady) => {
    if (isReady) feed.start();
    return feed.look();
  });
  await endedWithin(prepared, PREPARED_WITHIN_MS);
}

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

import { setTimeout as sleep } from 'node:timers/promises';
import type { DatasetFeed } from '#shared/dataset-feed.ts';
import type { Logger } from '#shared/logger.ts';
import type { StorePreparation } from './store/preparation.ts';

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
  await Promise.race([prepared, sleep(PREPARED_WITHIN_MS)]);
}

import type { WatchDatasetResponse } from '#proto/saring/market_data/v1/datasets.ts';
import type { Clock } from '#shared/clock.ts';
import { jakartaDay, startOfJakartaDay } from '#shared/jakarta-time.ts';
import type { DatasetInUse } from './dataset-in-use.ts';

/**
 * A state is repeated this often, so that a caller who hears nothing for longer knows that the stream is broken, and
 * so that a clock that is set is noticed.
 */
const REPEAT_MS = 1_000;
const DAY_MS = 24 * 3_600_000;

/**
 * Which version answers and what day it is in Jakarta: now, whenever either changes, and at least every second, until
 * `signal` ends it. Changes that come faster than they are taken are merged into the last one.
 */
export async function* datasetStates(
  inUse: DatasetInUse,
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<WatchDatasetResponse> {
  while (!signal.aborted) {
    const now = clock();
    const today = jakartaDay(now);
    const untilMidnightMs = startOfJakartaDay(today).getTime() + DAY_MS - now.getTime();
    // Begins to listen before it looks, so that no change falls between the two.
    const changed = inUse.changedWithin(Math.min(REPEAT_MS, untilMidnightMs), signal);
    const { dataset, isLoaded } = inUse.current();
    yield { version: (isLoaded && dataset?.version) || '', today };
    await changed;
  }
}

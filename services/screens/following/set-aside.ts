import { Gauge } from 'prom-client';
import type { Clock } from '#foundation/clock.ts';
import { metricsOf } from '#platform/operations/metrics.ts';
import type { Operations } from '#platform/process/operations.ts';
import type { DueScreen, PlaceStore } from '../store/place-store.ts';

/**
 * A screen that is set aside is tried again after as long as it has been, from the time in which its fields are computed on a busy
 * machine to a part of a day: many that can never be evaluated must cost the others little.
 */
const AGAIN_MS = { least: 5_000, most: 6 * 3_600_000 };

/** When to try a screen again that cannot be evaluated or recorded now. A new version of it, or of the dataset, is tried at once. */
export function triedAgainAt(
  {
    version,
    place,
  }: Pick<DueScreen, 'version'> & {
    place: Pick<NonNullable<DueScreen['place']>, 'version' | 'set_aside_since'> | null;
  },
  now: Date,
): Date {
  const since = place?.version === version ? place.set_aside_since : null;
  const asideMs = since === null ? 0 : now.getTime() - Date.parse(since);
  return new Date(now.getTime() + Math.min(AGAIN_MS.most, Math.max(AGAIN_MS.least, asideMs)));
}

/** After a new day, a screen is set aside for seconds where its fields take long to compute. */
const LASTING_MS = 60_000;

const setAside = new Gauge({
  name: 'saring_screens_set_aside',
  help: 'Screens that have not been followed for over a minute, because they could not be evaluated or recorded for a reason of their own.',
  registers: [metricsOf('screens')],
});

/** Regularly counts screens that are set aside. Copies of the service count the same. Returns a function that stops it. */
export function measureScreens(
  operations: Operations,
  places: Pick<PlaceStore, 'setAside'>,
  clock: Clock,
): () => Promise<unknown> {
  return operations.measure('screens', [setAside], async () => {
    setAside.set(await places.setAside(new Date(clock().getTime() - LASTING_MS)));
  });
}

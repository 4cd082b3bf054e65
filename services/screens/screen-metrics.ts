import { Gauge } from 'prom-client';
import type { Clock } from '#shared/clock.ts';
import { metricsOf } from '#shared/operations/metrics.ts';
import type { Operations } from '#shared/operations/operations.ts';
import type { PlaceStore } from './store/place-store.ts';

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

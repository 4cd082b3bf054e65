import type { ServedVersion } from '#shared/market/newest-trading-day.ts';
import type { DueScreen } from '../store/place-store.ts';

/**
 * A screen whose rules read the daily results of models waits for those of a new day for this long, which is longer than daily runs wait
 * for runs of users. It is then evaluated without them, and again once they come.
 */
const LONGEST_WAIT_MS = 15 * 60_000;
/** Daily results come seconds after their day, or much later, so the longer a screen has waited the less often it asks. */
const RETRY_MS = { least: 5_000, most: 5 * 60_000, ofWaited: 0.1 };

type Waiting = Pick<DueScreen, 'version'> & {
  place: Pick<
    NonNullable<DueScreen['place']>,
    'version' | 'dataset_version' | 'awaited_version' | 'awaited_since'
  > | null;
};

/**
 * Whether a screen may be left unevaluated while a model's daily result is awaited: for some time at first, and always once it has been
 * evaluated without. A screen that is new or replaced is evaluated at once.
 */
export function waitsForResults(
  screen: Waiting,
  { version }: Pick<ServedVersion, 'version'>,
  now: Date,
): boolean {
  const { place } = screen;
  if (!place || place.version !== screen.version) return false;
  return place.dataset_version === version || waitedMs(screen, { version }, now) < LONGEST_WAIT_MS;
}

/** When to ask again for the daily results of a version's day. */
export function retryAt(screen: Waiting, served: Pick<ServedVersion, 'version'>, now: Date): Date {
  const { least, most, ofWaited } = RETRY_MS;
  const waited = ofWaited * waitedMs(screen, served, now);
  return new Date(now.getTime() + Math.round(Math.min(most, Math.max(least, waited))));
}

function waitedMs({ place }: Waiting, { version }: Pick<ServedVersion, 'version'>, now: Date): number {
  const isAwaited = place?.awaited_version === version && place.awaited_since !== null;
  return isAwaited ? now.getTime() - Date.parse(place.awaited_since!) : 0;
}

import type { DueScreen } from './store/place-store.ts';

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

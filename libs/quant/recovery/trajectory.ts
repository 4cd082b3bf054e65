/** Ranges of the return within the horizon, from worst to best. Their order is the order of a model's classes. */
export const RETURN_BUCKETS = ['CRASH', 'DECLINE', 'SIDEWAYS', 'CLIMB', 'RALLY'] as const;
type ReturnBucket = (typeof RETURN_BUCKETS)[number];

/** Bounds between adjacent buckets, in percent, for a horizon of `CUTS_HORIZON_DAYS`. */
const CUTS_PCT = [-10, -3, 3, 10];
const CUTS_HORIZON_DAYS = 20;

/**
 * The bounds between the buckets for a horizon in trading days, percent, ascending. They widen with the square root of time,
 * like the spread of a random walk, so that a bucket means about the same at every horizon.
 */
export function bucketCutsPct(horizonDays: number): number[] {
  const widening = Math.sqrt(horizonDays / CUTS_HORIZON_DAYS);
  return CUTS_PCT.map((cut) => cut * widening);
}

/** Index into {@link RETURN_BUCKETS} of a return in percent. A return equal to a bound is in the bucket nearer to zero. */
export function bucketOf(returnPct: number, cutsPct: readonly number[]): number {
  let bucket = 0;
  for (const cut of cutsPct) if (cut < 0 ? returnPct >= cut : returnPct > cut) bucket++;
  return bucket;
}

/**
 * Chances, in the order of {@link RETURN_BUCKETS}, of a price that seldom falls by more than `lowestPct` (percent): of the
 * chances of lower buckets, all but `passing` (0 to 1) is moved to the bucket of `lowestPct`.
 */
export function aboveFloor(
  chances: ArrayLike<number>,
  lowestPct: number,
  cutsPct: readonly number[],
  passing = 0,
): number[] {
  const lowest = bucketOf(lowestPct, cutsPct);
  const below = RETURN_BUCKETS.slice(0, lowest).reduce((sum, _, bucket) => sum + chances[bucket]!, 0);
  const kept = below === 0 ? 0 : Math.min(1, passing / below);
  return RETURN_BUCKETS.map((_, bucket) => {
    if (bucket < lowest) return kept * chances[bucket]!;
    return bucket === lowest ? chances[bucket]! + (1 - kept) * below : chances[bucket]!;
  });
}

/** Chances of the buckets in percent, with one decimal each; their exact sum is 100. */
export type Trajectory = Record<ReturnBucket, number>;

interface Direction {
  /** Percent with one decimal. `up` is CLIMB and RALLY, `down` is CRASH and DECLINE, `neutral` is SIDEWAYS. */
  up: number;
  down: number;
  neutral: number;
}

export type Outlook = 'BULLISH' | 'NEUTRAL' | 'BEARISH';

/** Percentage points by which one direction must lead the other for the outlook to be BULLISH or BEARISH. */
const LEAD_POINTS = 15;
const TENTHS_OF_WHOLE = 1_000;

/**
 * Rounds chances, in the order of {@link RETURN_BUCKETS}, to tenths of a percent by largest remainder (Hare & Hamilton: all
 * are rounded down, and the remaining tenths go to the buckets that lost most, on ties to the worse bucket).
 */
export function trajectoryOf(chances: ArrayLike<number>): Trajectory {
  const total = RETURN_BUCKETS.reduce((sum, _, i) => sum + chances[i]!, 0);
  const exact = RETURN_BUCKETS.map((_, i) => (chances[i]! / total) * TENTHS_OF_WHOLE);
  const tenths = exact.map(Math.floor);
  const missing = TENTHS_OF_WHOLE - tenths.reduce((a, b) => a + b, 0);
  const byLoss = exact.map((_, i) => i).sort((a, b) => exact[b]! - tenths[b]! - (exact[a]! - tenths[a]!));
  for (const i of byLoss.slice(0, missing)) tenths[i]!++;
  return Object.fromEntries(RETURN_BUCKETS.map((bucket, i) => [bucket, tenths[i]! / 10])) as Trajectory;
}

/** Sums the rounded chances, so that a reader who adds them up gets the same numbers. */
export function directionOf({ CRASH, DECLINE, SIDEWAYS, CLIMB, RALLY }: Trajectory): Direction {
  return { up: sumOf(CLIMB, RALLY), down: sumOf(CRASH, DECLINE), neutral: SIDEWAYS };
}

export function outlookOf({ up, down }: Direction): Outlook {
  const lead = sumOf(up, -down);
  if (lead >= LEAD_POINTS) return 'BULLISH';
  return lead <= -LEAD_POINTS ? 'BEARISH' : 'NEUTRAL';
}

/** Adds percentages with one decimal, without floating-point error. */
function sumOf(a: number, b: number): number {
  return Math.round((a + b) * 10) / 10;
}

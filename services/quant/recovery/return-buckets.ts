/** What a price may do within the horizon, from the worst to the best. Their order is that of a model's classes. */
export const RETURN_BUCKETS = ['CRASH', 'DECLINE', 'SIDEWAYS', 'CLIMB', 'RALLY'] as const;
export type ReturnBucket = (typeof RETURN_BUCKETS)[number];

/** Where one bucket ends and the next begins, percent, for a horizon of `CUTS_HORIZON_DAYS`. */
const CUTS_PCT = [-10, -3, 3, 10];
const CUTS_HORIZON_DAYS = 20;

/**
 * The bounds between the buckets for a horizon in trading days, percent, ascending. They widen with the square root
 * of time, as the spread of a random walk does, so that a bucket means about the same at every horizon.
 */
export function bucketCutsPct(horizonDays: number): number[] {
  const widening = Math.sqrt(horizonDays / CUTS_HORIZON_DAYS);
  return CUTS_PCT.map((cut) => cut * widening);
}

/** Index into {@link RETURN_BUCKETS} of a return in percent; a return at a bound lies in the bucket nearer to zero. */
export function bucketOf(returnPct: number, cutsPct: readonly number[]): number {
  const crossed = cutsPct.filter((cut) => (cut < 0 ? returnPct >= cut : returnPct > cut));
  return crossed.length;
}

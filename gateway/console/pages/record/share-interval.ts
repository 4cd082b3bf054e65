/** Of the normal distribution: 95% lie within so many deviations. */
const DEVIATIONS = 1.96;

/**
 * Wilson's interval of a share, in percent: of so many cases as if each were independent of the others. Forecasts of one
 * day are not, so it is at least as wide.
 */
export function shareInterval(sharePct: number, cases: number): { low: number; high: number } {
  const share = sharePct / 100;
  const square = DEVIATIONS ** 2;
  const middle = share + square / (2 * cases);
  const half = DEVIATIONS * Math.sqrt((share * (1 - share)) / cases + square / (4 * cases ** 2));
  const scale = 100 / (1 + square / cases);
  return { low: Math.max(0, scale * (middle - half)), high: Math.min(100, scale * (middle + half)) };
}

/** 95% of a normal distribution lie within this many standard deviations. */
const DEVIATIONS = 1.96;

/**
 * Wilson's interval of a share, in percent. It assumes independent cases. Forecasts of the same day are not
 * independent, so the true interval is at least as wide.
 */
export function shareInterval(sharePct: number, cases: number): { low: number; high: number } {
  const share = sharePct / 100;
  const square = DEVIATIONS ** 2;
  const middle = share + square / (2 * cases);
  const half = DEVIATIONS * Math.sqrt((share * (1 - share)) / cases + square / (4 * cases ** 2));
  const scale = 100 / (1 + square / cases);
  return { low: Math.max(0, scale * (middle - half)), high: Math.min(100, scale * (middle + half)) };
}

import { requirePeriod } from './period.ts';

/**
 * Pearson correlation of x[i - period + 1 .. i] with the same window of y, -1 to 1. A window in which one of them never
 * moves has none and counts as 0. NaN for the first `period - 1` values and where the window holds a NaN. O(n × period),
 * each window by itself, so that a value depends on nothing but its window.
 */
export function rollingCorrelation(x: Float64Array, y: Float64Array, period: number): Float64Array {
  requirePeriod(period);
  const out = new Float64Array(x.length).fill(NaN);
  for (let i = period - 1; i < x.length; i++) {
    const start = i - period + 1;
    const pivotX = x[start]!;
    const pivotY = y[start]!;
    let [sumX, sumY, squaresX, squaresY, products] = [0, 0, 0, 0, 0];
    for (let j = start; j <= i; j++) {
      const dx = x[j]! - pivotX;
      const dy = y[j]! - pivotY;
      sumX += dx;
      sumY += dy;
      squaresX += dx * dx;
      squaresY += dy * dy;
      products += dx * dy;
    }
    const spread = (squaresX - (sumX * sumX) / period) * (squaresY - (sumY * sumY) / period);
    const correlation = (products - (sumX * sumY) / period) / Math.sqrt(spread);
    out[i] = spread > 0 ? Math.max(-1, Math.min(1, correlation)) : 0 * spread;
  }
  return out;
}

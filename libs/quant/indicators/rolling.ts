/**
 * Checks a window length in bars.
 * @throws RangeError unless it is an integer of at least 1.
 */
export function requirePeriod(period: number): void {
  if (!Number.isInteger(period) || period < 1)
    throw new RangeError(`period must be an integer >= 1, got ${period}`);
}

/** Highest of values[i - period + 1 .. i]. NaN for the first `period - 1` values and for windows with a NaN. O(n). */
export function rollingMax(values: Float64Array, period: number): Float64Array {
  return rollingExtreme(values, period, 1);
}

/** Lowest of values[i - period + 1 .. i]. NaN for the first `period - 1` values and for windows with a NaN. O(n). */
export function rollingMin(values: Float64Array, period: number): Float64Array {
  return rollingExtreme(values, period, -1);
}

/**
 * The algorithm of van Herk and Gil-Werman: three comparisons per value for any window. A window always spans the tail of one
 * block of `period` values and the head of the next. `sign` -1 turns the search for a maximum into one for a minimum.
 * Math.max carries a NaN into every window that contains it.
 */
function rollingExtreme(values: Float64Array, period: number, sign: 1 | -1): Float64Array {
  requirePeriod(period);
  const { length } = values;
  const out = new Float64Array(length);
  const tailOfBlockBefore = new Float64Array(period + 1).fill(NaN);
  tailOfBlockBefore[period] = -Infinity;
  for (let start = 0; start < length; start += period) {
    const end = Math.min(start + period, length);
    let head = -Infinity;
    for (let i = start; i < end; i++) {
      head = Math.max(head, values[i]! * sign);
      out[i] = Math.max(head, tailOfBlockBefore[i - start + 1]!) * sign;
    }
    let tail = -Infinity;
    for (let i = end - 1; i >= start; i--) {
      tail = Math.max(tail, values[i]! * sign);
      tailOfBlockBefore[i - start] = tail;
    }
  }
  return out;
}

/**
 * Standard deviation of values[i - period + 1 .. i], in the unit of the input, with divisor period - `ddof` (0: population,
 * as in Bollinger; 1: sample).
 *
 * NaN for the first `period - 1` values; a NaN in the input restarts that warm-up. NaN throughout when the divisor is zero.
 * O(n): uses running sums of deviations from a pivot. They are recomputed once per window, so that large prices with small
 * movements do not lose digits.
 */
export function rollingStdDev(values: Float64Array, period: number, ddof: 0 | 1): Float64Array {
  requirePeriod(period);
  const out = new Float64Array(values.length).fill(NaN);
  if (period <= ddof) return out;
  let [pivot, sum, squares, seen] = [0, 0, 0, 0];
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (Number.isNaN(value)) {
      seen = 0;
      continue;
    }
    if (seen === 0) [pivot, sum, squares] = [value, 0, 0];
    seen++;
    sum += value - pivot;
    squares += (value - pivot) * (value - pivot);
    if (seen > period) {
      const leaving = values[i - period]! - pivot;
      sum -= leaving;
      squares -= leaving * leaving;
    }
    if (seen % period === 0) {
      pivot += sum / period;
      [sum, squares] = [0, 0];
      for (let j = i - period + 1; j <= i; j++) {
        const deviation = values[j]! - pivot;
        sum += deviation;
        squares += deviation * deviation;
      }
    }
    if (seen >= period) out[i] = Math.sqrt(Math.max(0, squares - (sum * sum) / period) / (period - ddof));
  }
  return out;
}

/**
 * Pearson correlation of x[i - period + 1 .. i] with the same window of y, -1 to 1. Where one of them is constant, the
 * correlation is undefined and counts as 0. NaN for the first `period - 1` values and for windows with a NaN. O(n × period):
 * each window is computed separately, so that a value depends only on its window.
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

/** The straight line through a window of values at times 0, 1, 2 …; both arrays are as long as the input. */
interface RollingRegression {
  /** In the unit of the input, per bar. */
  slope: Float64Array;
  /** Share of the window's variance that the line explains, 0 to 1; 0 for a window of constant values. */
  rSquared: Float64Array;
}

/**
 * Least-squares line through values[i - period + 1 .. i] against time (qlib Alpha158, BETA and RSQR). NaN for the first
 * `period - 1` values, for windows with a NaN, and throughout for a period of 1. O(n × period): each window is computed
 * separately, so that a value depends only on its window.
 */
export function rollingRegression(values: Float64Array, period: number): RollingRegression {
  requirePeriod(period);
  const slope = new Float64Array(values.length).fill(NaN);
  const rSquared = new Float64Array(values.length).fill(NaN);
  const middle = (period - 1) / 2;
  const timeSquares = (period * (period * period - 1)) / 12;
  if (period === 1) return { slope, rSquared };
  for (let i = period - 1; i < values.length; i++) {
    const start = i - period + 1;
    const pivot = values[start]!;
    let [sum, squares, products] = [0, 0, 0];
    for (let t = 0; t < period; t++) {
      const value = values[start + t]! - pivot;
      sum += value;
      squares += value * value;
      products += (t - middle) * value;
    }
    const variance = squares - (sum * sum) / period;
    slope[i] = products / timeSquares;
    rSquared[i] = variance > 0 ? Math.min(1, (products * products) / (timeSquares * variance)) : 0 * variance;
  }
  return { slope, rSquared };
}

import { ROUNDING } from '../price-move.ts';

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
 * as in Bollinger; 1: sample). Exactly 0 where the values differ by rounding alone.
 *
 * NaN for the first `period - 1` values and for windows with a NaN. NaN throughout when the divisor is zero. O(n) without running
 * sums, which would keep a residue of large values that have left the window: a window is the end of one block of `period` values
 * and the beginning of the next. Deviations are from a value of the window, so that large prices with small movements do not lose
 * digits.
 */
export function rollingStdDev(values: Float64Array, period: number, ddof: 0 | 1): Float64Array {
  requirePeriod(period);
  const { length } = values;
  const out = new Float64Array(length).fill(NaN);
  if (period <= ddof) return out;
  const [sumsBefore, squaresBefore] = [new Float64Array(period + 1), new Float64Array(period + 1)];
  for (const ends of [sumsBefore, squaresBefore]) ends.fill(NaN, 0, period);
  for (let start = 0; start < length; start += period) {
    const pivot = values[start]!;
    for (let i = start - 1, at = period - 1; i >= 0 && at >= 0; i--, at--) {
      const deviation = values[i]! - pivot;
      sumsBefore[at] = sumsBefore[at + 1]! + deviation;
      squaresBefore[at] = squaresBefore[at + 1]! + deviation * deviation;
    }
    let [sum, squares] = [0, 0];
    for (let i = start, at = 1; i < length && at <= period; i++, at++) {
      sum += values[i]! - pivot;
      squares += (values[i]! - pivot) ** 2;
      const all = sum + sumsBefore[at]!;
      const variance = Math.max(0, squares + squaresBefore[at]! - (all * all) / period) / (period - ddof);
      out[i] = variance <= (ROUNDING * pivot) ** 2 ? 0 : Math.sqrt(variance);
    }
  }
  return out;
}

/** Whether the sum of squared deviations of a window is that of values which differ by rounding alone. */
function isFlat(squares: number, value: number, period: number): boolean {
  return squares <= period * (ROUNDING * value) ** 2;
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
    const [ofX, ofY] = [squaresX - (sumX * sumX) / period, squaresY - (sumY * sumY) / period];
    const spread = ofX * ofY;
    const correlation = (products - (sumX * sumY) / period) / Math.sqrt(spread);
    const isConstant = isFlat(ofX, pivotX, period) || isFlat(ofY, pivotY, period);
    out[i] = isConstant ? 0 * spread : Math.max(-1, Math.min(1, correlation));
  }
  return out;
}

/**
 * Share of the variance of values[i - period + 1 .. i] that the least-squares line through them against time explains (qlib
 * Alpha158, RSQR): 0 to 1, and 0 for a window of constant values. NaN for the first `period - 1` values, and for windows with a NaN.
 * O(n × period): each window is computed separately, so that a value depends only on its window.
 */
export function rollingRSquared(values: Float64Array, period: number): Float64Array {
  requirePeriod(period);
  const rSquared = new Float64Array(values.length).fill(NaN);
  const middle = (period - 1) / 2;
  const timeSquares = (period * (period * period - 1)) / 12;
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
    rSquared[i] = isFlat(variance, pivot, period)
      ? 0
      : Math.min(1, (products * products) / (timeSquares * variance));
  }
  return rSquared;
}

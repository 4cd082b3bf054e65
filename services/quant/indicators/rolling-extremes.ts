import { requirePeriod } from './period.ts';

/** Highest of values[i - period + 1 .. i]. NaN for the first `period - 1` values and where the window holds a NaN. O(n). */
export function rollingMax(values: Float64Array, period: number): Float64Array {
  return rollingExtreme(values, period, 1);
}

/** Lowest of values[i - period + 1 .. i]. NaN for the first `period - 1` values and where the window holds a NaN. O(n). */
export function rollingMin(values: Float64Array, period: number): Float64Array {
  return rollingExtreme(values, period, -1);
}

/**
 * Van Herk's and Gil-Werman's algorithm, three comparisons a value whatever the window: a window always
 * spans the tail of one block of `period` values and the head of the next. `sign` -1 turns the search
 * for a maximum into one for a minimum. Math.max carries a NaN into every window that holds it.
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

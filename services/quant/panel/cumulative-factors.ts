import { sharedColumn } from './panel-columns.ts';

/**
 * Forward running product of a factor column within each ticker: out[row] = product of factor from
 * offsets[i] to row. A factor that is not a positive finite number is refused, with `nameOf(row)` in the message.
 */
export function cumulativeFactors(
  factor: Float64Array,
  offsets: Uint32Array,
  nameOf: (ticker: number, row: number) => string,
): Float64Array {
  const cumulative = sharedColumn(Float64Array, factor.length);
  for (let i = 0; i + 1 < offsets.length; i++) {
    let product = 1;
    for (let row = offsets[i]!; row < offsets[i + 1]!; row++) {
      const value = factor[row]!;
      if (!(value > 0 && value < Infinity)) {
        throw new RangeError(`${nameOf(i, row)}: adjustment factor ${value} is not a positive number`);
      }
      product *= value;
      cumulative[row] = product;
    }
  }
  return cumulative;
}

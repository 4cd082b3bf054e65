import type { RowRange } from '#quant/panel/row-range.ts';

/** Weights of a mean of 1 over a range of rows, so that regularisation and smoothing mean the same for any range. */
export function withMeanOne(
  weights: Float64Array,
  { from, to }: RowRange = { from: 0, to: weights.length },
): Float64Array {
  let sum = 0;
  for (let row = from; row < to; row++) sum += weights[row]!;
  const scale = (to - from) / sum;
  return weights.map((weight) => weight * scale);
}

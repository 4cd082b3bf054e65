/** What a calibration aims at, and the share of label 1 that these targets come to. */
export interface SmoothedTargets {
  /** Of rows of label 1, below 1. */
  high: number;
  /** Of rows of label 0, above 0. */
  low: number;
  /** Their mean over the rows, by weight; neither 0 nor 1 where all rows are alike. */
  rate: number;
}

/**
 * Labels drawn in from 1 and 0 to (N1 + 1) / (N1 + 2) and 1 / (N0 + 2), N1 and N0 the weights of either label: the
 * posterior means under Laplace's rule of succession (Platt 1999).
 *
 * @param labels 0 or 1
 * @param weights 1 where absent
 * @throws RangeError when no row has weight
 */
export function smoothedTargets(labels: ArrayLike<number>, weights?: ArrayLike<number>): SmoothedTargets {
  let [zeros, ones] = [0, 0];
  for (let row = 0; row < labels.length; row++) {
    const weight = weights?.[row] ?? 1;
    if (labels[row] === 1) ones += weight;
    else zeros += weight;
  }
  if (!(zeros + ones > 0)) throw new RangeError('a calibration needs rows with weight');
  const [high, low] = [(ones + 1) / (ones + 2), 1 / (zeros + 2)];
  return { high, low, rate: (high * ones + low * zeros) / (zeros + ones) };
}

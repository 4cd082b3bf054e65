/** No class is taken to be rarer or more frequent than this before the first tree: ln of it must be finite. */
const RAREST = 1e-6;

/**
 * Scores that give every row the classes' own frequencies: the log-odds of label 1 for two classes, otherwise the
 * logarithm of each. 32-bit floats.
 *
 * @param weights summed weight of each class
 */
export function baseScoresOf(weights: readonly number[]): number[] {
  const total = weights.reduce((a, b) => a + b);
  const shares = weights.map((weight) => Math.min(1 - RAREST, Math.max(RAREST, weight / total)));
  if (weights.length === 2) return [Math.fround(Math.log(shares[1]! / (1 - shares[1]!)))];
  return shares.map((share) => Math.fround(Math.log(share)));
}

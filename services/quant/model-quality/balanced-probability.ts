/**
 * A calibrated probability of winning relative to the base rate, in percent with one decimal: p's odds over the base
 * rate's, as the posterior after equal prior odds of winning and losing. 50 is as likely as the average of what was
 * learnt from; Elkan, "The foundations of cost-sensitive learning" (2001), theorem 2, with a new base rate of 1/2.
 *
 * @param chance 0 to 1
 * @param baseRate above 0, below 1
 */
export function balancedProbability(chance: number, baseRate: number): number {
  if (!(chance >= 0 && chance <= 1)) throw new RangeError(`chance must lie within 0 to 1, got ${chance}`);
  if (!(baseRate > 0 && baseRate < 1))
    throw new RangeError(`baseRate must lie between 0 and 1, got ${baseRate}`);
  const [gain, loss] = [chance * (1 - baseRate), (1 - chance) * baseRate];
  return Math.round((1_000 * gain) / (gain + loss)) / 10;
}

/** Blocks into which the days are cut. Of 16, 12,870 halves can be made. */
const BLOCKS = 16;
/** With fewer strategies a rank says too little. */
export const MIN_STRATEGIES = 10;
/** A Sharpe ratio of fewer days says nothing. */
const MIN_DAYS_OF_A_BLOCK = 2;

/**
 * Probability of backtest overfitting by combinatorially symmetric cross-validation (Bailey, Borwein, López de Prado and Zhu,
 * "The Probability of Backtest Overfitting", Journal of Computational Finance 20(4), 2017): the share of the ways to choose
 * half of the blocks of days in which the strategy with the best Sharpe ratio there is at or below the median of all on the
 * other half. Of strategies with equal ratios the first counts as the best, and ranks of equal ratios are averaged. A strategy
 * that never varies on a half has the ratio 0 there.
 *
 * @param returns for each strategy its returns of the same days; days that do not fill the blocks evenly are left out at the
 *   beginning
 * @returns 0 to 1; undefined for fewer than ten strategies or too few days
 */
export function overfittingProbability(returns: readonly ArrayLike<number>[]): number | undefined {
  const blockLength = Math.floor((returns[0]?.length ?? 0) / BLOCKS);
  if (returns.length < MIN_STRATEGIES || blockLength < MIN_DAYS_OF_A_BLOCK) return undefined;
  const sums = returns.map((series) => blockSums(series, blockLength));
  const days = (BLOCKS / 2) * blockLength;
  let [overfitted, halves] = [0, 0];
  for (let chosen = 0; chosen < 2 ** BLOCKS; chosen++) {
    if (bitCount(chosen) !== BLOCKS / 2) continue;
    const inside = sums.map((blocks) => sharpeOf(blocks, chosen, days));
    const outside = sums.map((blocks) => sharpeOf(blocks, ~chosen, days));
    const best = inside.indexOf(Math.max(...inside));
    if (relativeRank(outside, best) <= 0.5) overfitted++;
    halves++;
  }
  return overfitted / halves;
}

/** Sum and sum of squares of each block, one after the other. */
function blockSums(series: ArrayLike<number>, blockLength: number): Float64Array {
  const sums = new Float64Array(2 * BLOCKS);
  const first = series.length - BLOCKS * blockLength;
  for (let i = first; i < series.length; i++) {
    const block = Math.floor((i - first) / blockLength);
    sums[2 * block]! += series[i]!;
    sums[2 * block + 1]! += series[i]! ** 2;
  }
  return sums;
}

function sharpeOf(blocks: Float64Array, chosen: number, days: number): number {
  let [sum, squares] = [0, 0];
  for (let block = 0; block < BLOCKS; block++) {
    if (((chosen >> block) & 1) === 0) continue;
    sum += blocks[2 * block]!;
    squares += blocks[2 * block + 1]!;
  }
  const variance = (squares - sum ** 2 / days) / (days - 1);
  return variance > 0 ? sum / days / Math.sqrt(variance) : 0;
}

/** Rank of a strategy among all, over their number plus one: 0.5 is the median, above it is better. */
function relativeRank(ratios: readonly number[], strategy: number): number {
  const own = ratios[strategy]!;
  const below = ratios.filter((other) => other < own).length;
  const equal = ratios.filter((other) => other === own).length;
  return (below + (equal + 1) / 2) / (ratios.length + 1);
}

function bitCount(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count++;
  return count;
}

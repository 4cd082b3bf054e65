/** Blocks into which the days are cut. Of 16, 12,870 halves can be made. */
const BLOCKS = 16;
const ALL = 2 ** BLOCKS - 1;
/** With fewer strategies a rank says too little. */
const MIN_STRATEGIES = 10;
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
  const strategies = returns.map((series) => new Halves(blockSums(series, blockLength)));
  const days = (BLOCKS / 2) * blockLength;
  const [one, other] = [new Float64Array(returns.length), new Float64Array(returns.length)];
  let [overfitted, halves] = [0, 0];
  // Each pair of halves once: either can be the one on which the best is chosen.
  for (let chosen = 0; chosen <= ALL >> 1; chosen++) {
    if (bitCount(chosen) !== BLOCKS / 2) continue;
    for (const [i, strategy] of strategies.entries()) {
      one[i] = strategy.sharpeOf(chosen, days);
      other[i] = strategy.sharpeOf(ALL ^ chosen, days);
    }
    if (rankOfBest(one, other) <= 0.5) overfitted++;
    if (rankOfBest(other, one) <= 0.5) overfitted++;
    halves += 2;
  }
  return overfitted / halves;
}

/** Sum and sum of squares of each block. */
interface BlockSums<List = number[]> {
  sum: List;
  squares: List;
}

function blockSums(series: ArrayLike<number>, blockLength: number): BlockSums {
  const sums: BlockSums = { sum: Array<number>(BLOCKS).fill(0), squares: Array<number>(BLOCKS).fill(0) };
  const first = series.length - BLOCKS * blockLength;
  for (let i = first; i < series.length; i++) {
    const block = Math.floor((i - first) / blockLength);
    sums.sum[block]! += series[i]!;
    sums.squares[block]! += series[i]! ** 2;
  }
  return sums;
}

/** Any chosen blocks are some of the lower eight and some of the upper eight, whose sums are looked up. */
const TABLE_BITS = BLOCKS / 2;
const TABLE_SIZE = 2 ** TABLE_BITS;

/** Sharpe ratios of one strategy on chosen blocks. */
class Halves {
  readonly #lower: BlockSums<Float64Array>;
  readonly #upper: BlockSums<Float64Array>;

  constructor({ sum, squares }: BlockSums) {
    const tableOf = (values: number[]) =>
      Float64Array.from({ length: TABLE_SIZE }, (_, chosen) =>
        values.reduce((total, value, block) => total + ((chosen >> block) & 1) * value, 0),
      );
    const [from, to] = [TABLE_BITS, BLOCKS];
    this.#lower = { sum: tableOf(sum.slice(0, from)), squares: tableOf(squares.slice(0, from)) };
    this.#upper = { sum: tableOf(sum.slice(from, to)), squares: tableOf(squares.slice(from, to)) };
  }

  sharpeOf(chosen: number, days: number): number {
    const [lower, upper] = [chosen % TABLE_SIZE, chosen >> TABLE_BITS];
    const sum = this.#lower.sum[lower]! + this.#upper.sum[upper]!;
    const squares = this.#lower.squares[lower]! + this.#upper.squares[upper]!;
    const variance = (squares - sum ** 2 / days) / (days - 1);
    return variance > 0 ? sum / days / Math.sqrt(variance) : 0;
  }
}

/** Rank outside of the best inside, over the number of strategies plus one: 0.5 is the median, above it is better. */
function rankOfBest(inside: Float64Array, outside: Float64Array): number {
  let best = 0;
  for (let i = 1; i < inside.length; i++) if (inside[i]! > inside[best]!) best = i;
  const own = outside[best]!;
  let [below, equal] = [0, 0];
  for (let i = 0; i < outside.length; i++) {
    if (outside[i]! < own) below++;
    else if (outside[i] === own) equal++;
  }
  return (below + (equal + 1) / 2) / (outside.length + 1);
}

function bitCount(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count++;
  return count;
}

import type { Random } from '../random.ts';

/**
 * Stocks that are picked, or a candidate, on any of some days. The others would only lengthen the way to the next candidate.
 *
 * @param isCandidate for each day and each stock: 1 for a candidate
 */
export function exchangeable(
  picked: Iterable<number>,
  isCandidate: Uint8Array,
  stocks: number,
): readonly number[] {
  const isMember = new Uint8Array(stocks);
  for (let start = 0; start < isCandidate.length; start += stocks)
    for (let stock = 0; stock < stocks; stock++) isMember[stock]! |= isCandidate[start + stock]!;
  for (const stock of picked) isMember[stock] = 1;
  return [...isMember.keys()].filter((stock) => isMember[stock] === 1);
}

/** A random permutation of these stocks: for each, the stock that follows it. */
export function randomExchange(members: readonly number[], stocks: number, random: Random): Uint16Array {
  const order = random.permutation(members.length);
  const next = new Uint16Array(stocks);
  for (let i = 0; i < members.length; i++) next[members[i]!] = members[order[i]!]!;
  return next;
}

/**
 * The stock that takes the place of a pick when a permutation exchanges the names of stocks: the next one on the way of the
 * permutation that is a candidate of the day.
 *
 * @param next the permutation: the stock that follows each
 * @param isCandidate for each day and each stock: 1 for a candidate
 * @param start where the day begins in `isCandidate`
 * @returns an index of a stock; -1 if the way, which leads back to the pick, has no candidate
 */
export function exchanged(next: Uint16Array, stock: number, isCandidate: Uint8Array, start: number): number {
  let chosen = next[stock]!;
  for (let steps = 1; isCandidate[start + chosen] === 0; steps++) {
    if (steps === next.length) return -1;
    chosen = next[chosen]!;
  }
  return chosen;
}

/** Random permutations of the same stocks, which are followed side by side. */
export class RandomExchanges {
  readonly #stocks: number;
  /** The permutations, one after the other. */
  readonly #next: Uint16Array;
  /** How far each has come. */
  readonly #chosen: Uint16Array;
  /** Those that have not arrived. */
  readonly #going: Uint16Array;
  /** For each stock: 1 where a way ends. */
  readonly #ends: Uint8Array;

  constructor(
    members: readonly number[],
    stocks: number,
    { count, random }: { count: number; random: Random },
  ) {
    this.#stocks = stocks;
    this.#next = new Uint16Array(count * stocks);
    for (let i = 0; i < count; i++) this.#next.set(randomExchange(members, stocks, random), i * stocks);
    this.#chosen = new Uint16Array(count);
    this.#going = new Uint16Array(count);
    this.#ends = new Uint8Array(stocks);
  }

  /**
   * The stock that takes the place of a pick in each permutation, as {@link exchanged} finds it; the pick itself where the way has no
   * candidate.
   *
   * All go on together, one step at a time, and none branches on whether it has arrived: a processor guesses that wrong for every
   * other pick, and one way after the other takes twice as long.
   *
   * @param isCandidate for each day and each stock: 1 for a candidate
   * @param start where the day begins in `isCandidate`
   * @returns indices of stocks, overwritten by the next call
   */
  inPlaceOf(stock: number, isCandidate: Uint8Array, start: number): Uint16Array {
    const [next, chosen, going, ends, stocks] = [
      this.#next,
      this.#chosen,
      this.#going,
      this.#ends,
      this.#stocks,
    ];
    ends.set(isCandidate.subarray(start, start + stocks));
    ends[stock] = 1;
    for (let i = 0; i < chosen.length; i++) {
      chosen[i] = stock;
      going[i] = i;
    }
    for (let left = chosen.length; left > 0;) {
      let still = 0;
      for (let k = 0; k < left; k++) {
        const i = going[k]!;
        const reached = next[i * stocks + chosen[i]!]!;
        chosen[i] = reached;
        going[still] = i;
        still += 1 - ends[reached]!;
      }
      left = still;
    }
    return chosen;
  }
}

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

/** Random permutations of the same stocks, which are followed side by side. */
export class RandomExchanges {
  readonly #stocks: number;
  /** For each stock: the one that follows it in each permutation. */
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
    for (let i = 0; i < count; i++) {
      const next = randomExchange(members, stocks, random);
      for (const stock of members) this.#next[stock * count + i] = next[stock]!;
    }
    this.#chosen = new Uint16Array(count);
    this.#going = new Uint16Array(count);
    this.#ends = new Uint8Array(stocks);
  }

  /** How many permutations there are. */
  get count(): number {
    return this.#chosen.length;
  }

  /**
   * The stock that takes the place of a pick in each permutation: the next one on its way that is a candidate of the day; the pick
   * itself where the way, which leads back to it, has none.
   *
   * All go on together, one step at a time, and none branches on whether it has arrived: a processor guesses that wrong for every
   * other pick, and one way after the other takes twice as long.
   *
   * @param isCandidate for each day and each stock: 1 for a candidate
   * @param start where the day begins in `isCandidate`
   * @returns indices of stocks, overwritten by the next call
   */
  inPlaceOf(stock: number, isCandidate: Uint8Array, start: number): Uint16Array {
    const [next, chosen, going, ends] = [this.#next, this.#chosen, this.#going, this.#ends];
    const count = chosen.length;
    ends.set(isCandidate.subarray(start, start + this.#stocks));
    ends[stock] = 1;
    const first = stock * count;
    let left = 0;
    for (let i = 0; i < count; i++) {
      const reached = next[first + i]!;
      chosen[i] = reached;
      going[left] = i;
      left += 1 - ends[reached]!;
    }
    while (left > 0) {
      let still = 0;
      for (let k = 0; k < left; k++) {
        const i = going[k]!;
        const reached = next[chosen[i]! * count + i]!;
        chosen[i] = reached;
        going[still] = i;
        still += 1 - ends[reached]!;
      }
      left = still;
    }
    return chosen;
  }
}

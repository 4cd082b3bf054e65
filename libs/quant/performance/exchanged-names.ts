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

/** Places of a word of the marks. */
const WORD_PLACES = 32;
/** A word with all of them but the first. */
const AFTER_FIRST = 0x7fff_ffff;

/**
 * Random permutations of the same stocks, which are followed side by side.
 *
 * Each is written down as its cycles, one after the other, and marks say which places hold a candidate of the day. The next candidate
 * is then at the next mark, which a count of leading zeros finds, and from one day to the next only the marks of a few stocks change.
 * To go on from stock to stock, on average past two that are no candidates, takes three times as long.
 */
export class RandomExchanges {
  /** Number of permutations. */
  readonly count: number;
  readonly #members: readonly number[];
  /** For each place: its stock or, after the last of a cycle, the length of the cycle plus the number of stocks. */
  readonly #order: Uint16Array;
  /** For each stock: its place in each permutation. */
  readonly #places: Int32Array;
  /** A bit for each place, the highest of a word first: 1 for a candidate, and after each cycle. */
  readonly #marks: Int32Array;
  /** For each stock: 1 for a candidate that is marked. */
  readonly #marked: Uint8Array;
  readonly #chosen: Uint16Array;

  /** @param stocks at most 32,768, so that 16 bits hold twice as many */
  constructor(
    members: readonly number[],
    stocks: number,
    { count, random }: { count: number; random: Random },
  ) {
    const most = 1 + 2 * members.length * count;
    this.count = count;
    this.#members = members;
    this.#order = new Uint16Array(most);
    this.#places = new Int32Array(stocks * count);
    this.#marks = new Int32Array(Math.ceil(most / WORD_PLACES));
    this.#marked = new Uint8Array(stocks);
    this.#chosen = new Uint16Array(count);
    // There is a place before each cycle.
    let end = 1;
    for (let i = 0; i < count; i++) end = this.#write(i, randomExchange(members, stocks, random), end);
  }

  /** Writes a permutation down cycle by cycle, from a place on, and returns where it ends. */
  #write(i: number, next: Uint16Array, from: number): number {
    const [order, places] = [this.#order, this.#places];
    const [count, stocks] = [this.count, this.#marked.length];
    const isWritten = new Uint8Array(stocks);
    let place = from;
    for (const first of this.#members) {
      if (isWritten[first] === 1) continue;
      const begin = place;
      for (let stock = first; isWritten[stock] === 0; stock = next[stock]!) {
        isWritten[stock] = 1;
        places[stock * count + i] = place;
        order[place++] = stock;
      }
      order[place] = stocks + place - begin;
      toggle(this.#marks, place++);
    }
    return place;
  }

  /**
   * From now on, these are the candidates.
   *
   * @param isCandidate for each day and each stock: 1 for a candidate, which is among the exchanged stocks
   * @param start where the day begins in `isCandidate`
   */
  onDay(isCandidate: Uint8Array, start: number): void {
    const [marked, marks, places] = [this.#marked, this.#marks, this.#places];
    const { count } = this;
    for (const stock of this.#members) {
      if (isCandidate[start + stock] === marked[stock]) continue;
      marked[stock] = isCandidate[start + stock]!;
      for (let i = stock * count; i < (stock + 1) * count; i++) toggle(marks, places[i]!);
    }
  }

  /**
   * The stock that takes the place of a pick in each permutation: the next one on its way that is a candidate of the day; the pick
   * itself where the way, which leads back to it, has none.
   *
   * @returns indices of stocks, overwritten by the next call
   */
  inPlaceOf(stock: number): Uint16Array {
    const [chosen, order, places, marks] = [this.#chosen, this.#order, this.#places, this.#marks];
    const [count, stocks] = [this.count, this.#marked.length];
    for (let i = 0; i < count; i++) {
      const place = places[stock * count + i]!;
      const marked = markAfter(marks, place);
      let reached = order[marked]!;
      if (reached >= stocks) {
        // After the last of a cycle comes its first.
        const first = markAfter(marks, marked - 1 - (reached - stocks));
        reached = first < place ? order[first]! : stock;
      }
      chosen[i] = reached;
    }
    return chosen;
  }
}

function toggle(marks: Int32Array, place: number): void {
  marks[place >>> 5]! ^= 1 << (WORD_PLACES - 1 - (place & 31));
}

/** The first marked place after one. */
function markAfter(marks: Int32Array, place: number): number {
  let word = place >>> 5;
  let found = marks[word]! & (AFTER_FIRST >>> (place & 31));
  while (found === 0) found = marks[++word]!;
  return word * WORD_PLACES + Math.clz32(found);
}

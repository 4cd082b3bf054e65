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
  /** For each place, by permutation: its stock or, after the last of a cycle, where the cycle begins plus the number of stocks. */
  readonly #order: Uint16Array;
  /** For each stock and permutation: its place, counted from the first of the permutation. */
  readonly #places: Uint16Array;
  /** A bit for each place, the highest of a word first: 1 for a candidate, and after each cycle. */
  readonly #marks: Int32Array;
  /** For each permutation: where its words begin. */
  readonly #words: Int32Array;
  /** For each stock: 1 for a candidate that is marked. */
  readonly #marked: Uint8Array;
  readonly #chosen: Uint16Array;

  /** @param stocks fewer than 20,000, so that 16 bits hold them and two places for each */
  constructor(
    members: readonly number[],
    stocks: number,
    { count, random }: { count: number; random: Random },
  ) {
    const words = count * Math.ceil((1 + 2 * members.length) / WORD_PLACES);
    this.count = count;
    this.#members = members;
    this.#order = new Uint16Array(words * WORD_PLACES);
    this.#places = new Uint16Array(stocks * count);
    this.#marks = new Int32Array(words);
    this.#words = new Int32Array(count + 1);
    this.#marked = new Uint8Array(stocks);
    this.#chosen = new Uint16Array(count);
    for (let i = 0; i < count; i++) this.#write(i, randomExchange(members, stocks, random));
  }

  /** Writes a permutation down cycle by cycle, from its second place on, so that there is one before each cycle. */
  #write(i: number, next: Uint16Array): void {
    const [places, count, stocks] = [this.#places, this.count, this.#marked.length];
    const word = this.#words[i]!;
    const order = this.#order.subarray(word * WORD_PLACES);
    const isWritten = new Uint8Array(stocks);
    let place = 1;
    for (const first of this.#members) {
      if (isWritten[first] === 1) continue;
      const begin = place;
      for (let stock = first; isWritten[stock] === 0; stock = next[stock]!) {
        isWritten[stock] = 1;
        places[stock * count + i] = place;
        order[place++] = stock;
      }
      toggle(this.#marks, word, place);
      order[place++] = stocks + begin;
    }
    this.#words[i + 1] = word + Math.ceil(place / WORD_PLACES);
  }

  /**
   * From now on, these are the candidates.
   *
   * @param isCandidate for each day and each stock: 1 for a candidate, which is among the exchanged stocks
   * @param start where the day begins in `isCandidate`
   */
  onDay(isCandidate: Uint8Array, start: number): void {
    const [marked, marks, places, words] = [this.#marked, this.#marks, this.#places, this.#words];
    const { count } = this;
    for (const stock of this.#members) {
      if (isCandidate[start + stock] === marked[stock]) continue;
      marked[stock] = isCandidate[start + stock]!;
      for (let i = 0; i < count; i++) toggle(marks, words[i]!, places[stock * count + i]!);
    }
  }

  /**
   * The stock that takes the place of a pick in each permutation: the next one on its way that is a candidate of the day; the pick
   * itself where the way, which leads back to it, has none.
   *
   * @returns indices of stocks, overwritten by the next call
   */
  inPlaceOf(stock: number): Uint16Array {
    const [chosen, order, places] = [this.#chosen, this.#order, this.#places];
    const [marks, words] = [this.#marks, this.#words];
    const [count, stocks] = [this.count, this.#marked.length];
    for (let i = 0; i < count; i++) {
      const word = words[i]!;
      const place = places[stock * count + i]!;
      let reached = order[word * WORD_PLACES + markAfter(marks, word, place)]!;
      if (reached >= stocks) {
        const first = markAfter(marks, word, reached - stocks - 1);
        reached = first < place ? order[word * WORD_PLACES + first]! : stock;
      }
      chosen[i] = reached;
    }
    return chosen;
  }
}

function toggle(marks: Int32Array, word: number, place: number): void {
  marks[word + (place >>> 5)]! ^= 1 << (WORD_PLACES - 1 - (place & 31));
}

/** The first marked place after one, where there is one. */
function markAfter(marks: Int32Array, word: number, place: number): number {
  let at = word + (place >>> 5);
  let found = marks[at]! & (AFTER_FIRST >>> (place & 31));
  while (found === 0) found = marks[++at]!;
  return (at - word) * WORD_PLACES + Math.clz32(found);
}

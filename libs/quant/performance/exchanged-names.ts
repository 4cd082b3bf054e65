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

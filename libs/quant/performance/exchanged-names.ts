/**
 * The stock that takes the place of a pick when a permutation exchanges the names of stocks: the next one on the way of the
 * permutation that is a candidate of the day.
 *
 * @param next the permutation: the stock that follows each
 * @param isCandidate for each day and each stock: 1 for a candidate
 * @param start where the day begins in `isCandidate`
 * @returns an index of a stock; -1 if the way, which leads back to the pick, has no candidate
 */
export function exchanged(
  next: Uint16Array | Uint32Array,
  stock: number,
  isCandidate: Uint8Array,
  start: number,
): number {
  let chosen = next[stock]!;
  for (let steps = 1; isCandidate[start + chosen] === 0; steps++) {
    if (steps === next.length) return -1;
    chosen = next[chosen]!;
  }
  return chosen;
}

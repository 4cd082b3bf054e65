/** More differences than this, or than a third of the word, make it another word. */
const MAX_DIFFERENCES = 3;

/** The name that was probably meant by an unknown one; undefined if none is close. */
export function closest(unknown: string, names: Iterable<string>): string | undefined {
  const allowed = Math.min(MAX_DIFFERENCES, Math.ceil(unknown.length / 3));
  let [best, fewest]: [string | undefined, number] = [undefined, allowed + 1];
  for (const name of names) {
    if (Math.abs(name.length - unknown.length) >= fewest) continue;
    const differences = editDistance(unknown.toLowerCase(), name.toLowerCase());
    if (differences < fewest) [best, fewest] = [name, differences];
  }
  return best;
}

/** Letters to insert, delete, replace or swap with their neighbour (optimal string alignment; Damerau 1964). */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, j) => j);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = last[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      row[j] = Math.min(replaced, last[j]! + 1, row[j - 1]! + 1);
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      if (isSwapped) row[j] = Math.min(row[j]!, beforeLast[j - 2]! + 1);
    }
    [beforeLast, last] = [last, row];
  }
  return last[to.length]!;
}

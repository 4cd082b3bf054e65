/** Classes of brokers, in the order in which they are drawn. */
export const CLASSES = ['foreign', 'bandar', 'retail'] as const;

/** How many days in a row, up to the last one, have the same sign. */
export function streakOf(values: readonly number[]): {
  side: 'ACCUMULATION' | 'DISTRIBUTION' | 'NONE';
  length: number;
} {
  const way = Math.sign(values.at(-1) ?? 0);
  if (way === 0) return { side: 'NONE', length: 0 };
  const other = values.findLastIndex((value) => Math.sign(value) !== way);
  return { side: way > 0 ? 'ACCUMULATION' : 'DISTRIBUTION', length: values.length - 1 - other };
}

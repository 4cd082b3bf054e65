export type Row = Record<string, unknown>;

/** A row for each distinct combination of the columns, of which `day` is called `jakarta_day` in the row. */
export function grouped<Item extends object>(
  items: Item[],
  columns: (keyof Item & string)[],
  rest: (items: Item[]) => Row,
): Row[] {
  const groups = Map.groupBy(items, (item) => JSON.stringify(columns.map((column) => item[column])));
  return [...groups.values()].map((members) => ({
    ...Object.fromEntries(
      columns.map((column) => [column === 'day' ? 'jakarta_day' : column, members[0]![column]]),
    ),
    ...rest(members),
  }));
}

/** Interpolated between the two nearest; the shortest is 0, the longest 1. */
export function quantile(sorted: number[], level: number): number {
  const position = (sorted.length - 1) * level;
  const below = sorted[Math.floor(position)]!;
  return below + (sorted[Math.ceil(position)]! - below) * (position % 1);
}

export const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

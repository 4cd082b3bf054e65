export type Cell = string | number;

const GAP = '  ';

/**
 * Lines of a table whose columns are as wide as their longest cell; numbers stand to the right.
 * @param ruled draws a line under the head
 */
export function textTable(head: string[], rows: Cell[][], { ruled = false } = {}): string[] {
  const texts = rows.map((row) => head.map((_, column) => String(row[column] ?? '')));
  const layout = head.map((title, column) => ({
    width: Math.max(title.length, ...texts.map((row) => row[column]!.length)),
    toTheRight: texts.every((row) => /^[-+]?[\d.,]/.test(row[column]!)),
  }));
  const line = (cells: string[]) =>
    layout
      .map(({ width, toTheRight }, column) =>
        toTheRight ? cells[column]!.padStart(width) : cells[column]!.padEnd(width),
      )
      .join(GAP)
      .trimEnd();
  const rule = layout.map(({ width }) => '─'.repeat(width)).join(GAP);
  return [line(head), ...(ruled ? [rule] : []), ...texts.map(line)];
}

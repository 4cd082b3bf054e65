type Cell = string | number;

const GAP = '  ';

/** Lines of a table whose columns are as wide as their longest cell; numbers stand to the right. */
export function textTable(columns: string[], rows: Record<string, Cell>[]): string[] {
  const layout = columns.map((column) => ({
    column,
    width: Math.max(column.length, ...rows.map((row) => cellText(row[column]).length)),
    toTheRight: rows.every((row) => /^[-+]?[\d.,]/.test(cellText(row[column]))),
  }));
  const line = (cellOf: (column: string) => string) =>
    layout
      .map(({ column, width, toTheRight }) =>
        toTheRight ? cellOf(column).padStart(width) : cellOf(column).padEnd(width),
      )
      .join(GAP)
      .trimEnd();
  const rule = layout.map(({ width }) => '─'.repeat(width)).join(GAP);
  return [line((column) => column), rule, ...rows.map((row) => line((column) => cellText(row[column])))];
}

function cellText(cell: Cell | undefined): string {
  return cell === undefined ? '' : String(cell);
}

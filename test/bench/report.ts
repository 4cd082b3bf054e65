export interface Figure {
  what: string;
  measured: string;
  /** The bar in `docs/performance.md`, where there is one. */
  bar?: string;
}

export function printFigures(title: string, figures: Figure[]): void {
  const rows = figures.map(({ what, measured, bar }) => [what, measured, bar ?? '']);
  console.log(`\n## ${title}\n`);
  console.log(markdownTable(['What', 'Measured', 'Bar'], rows));
}

/** Reads well on a terminal too. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((cell, column) => Math.max(cell.length, ...rows.map((row) => row[column]!.length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

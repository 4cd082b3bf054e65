export interface Figure {
  what: string;
  measured: string;
  /** What `README.md` promises, where it promises something. */
  bar?: string;
}

/** A table in Markdown, which reads well on a terminal too. */
export function printFigures(title: string, figures: Figure[]): void {
  const rows = figures.map(({ what, measured, bar }) => [what, measured, bar ?? '']);
  const head = ['What', 'Measured', 'Bar'];
  const widths = head.map((cell, column) => Math.max(cell.length, ...rows.map((row) => row[column]!.length)));
  const line = (cells: string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  console.log(`\n## ${title}\n`);
  console.log([line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n'));
}

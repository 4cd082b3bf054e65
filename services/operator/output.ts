export interface OutputOptions {
  /** One JSON document on standard output instead of text for people. */
  json?: boolean;
}

/** Prints the answer of a command, once. */
export function answer(options: OutputOptions, document: unknown, text: () => string): void {
  process.stdout.write(`${options.json ? JSON.stringify(document, null, 2) : text()}\n`);
}

/** Columns of a table, as wide as their widest cell. */
export function table(head: string[], rows: (string | number)[][]): string {
  const cells = [head, ...rows.map((row) => row.map(String))];
  const widths = head.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? '').length)));
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

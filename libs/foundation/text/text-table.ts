import { terminalText } from './terminal-text.ts';

export type Cell = string | number;

const GAP = '  ';

interface TableOptions {
  /** Whether a line separates the head from the rows. */
  ruled?: boolean;
  /** Characters in a line. The default is the terminal's width; a file, a pipe or a terminal of unknown width has no limit. */
  maxWidth?: number;
}

/**
 * The lines of a table. Columns are as wide as their longest cell; numbers are right-aligned. A table wider than `maxWidth`
 * becomes one block of lines for each row, `name  value` each, so that a terminal does not wrap it. Characters in a cell that
 * would act on a terminal are escaped, including line feeds.
 */
export function textTable(
  head: string[],
  rows: Cell[][],
  { ruled = false, maxWidth = process.stdout.columns || Infinity }: TableOptions = {},
): string[] {
  const texts = rows.map((row) => head.map((_, column) => terminalText(String(row[column] ?? ''))));
  const lines = tableLines(head, texts, ruled);
  return lines.every((line) => line.length <= maxWidth) ? lines : blocks(head, texts);
}

function tableLines(head: string[], texts: string[][], ruled: boolean): string[] {
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

function blocks(head: string[], texts: string[][]): string[] {
  const width = Math.max(...head.map((title) => title.length));
  return texts.flatMap((row, index) => [
    ...(index > 0 ? [''] : []),
    ...head.map((title, column) => `${title.padEnd(width)}${GAP}${row[column]}`.trimEnd()),
  ]);
}

import { csvFields, type CsvDelimiter } from '#foundation/text/csv.ts';
import { changedShape, SourceFailure } from '../deliveries/source-failure.ts';

export interface TextTable {
  columns: string[];
  rows: TextRow[];
}

export interface TextRow {
  /** Where it stands, for messages: `line 12` or `item 3`. */
  place: string;
  /** One for each column. */
  cells: string[];
}

/**
 * The rows of a CSV with a header. Empty lines are skipped.
 * @throws SourceFailure truncated if the last line lacks fields and its end, changed_shape if another one has too many or too few
 */
export function csvTable(name: string, text: string, delimiter: CsvDelimiter = ','): TextTable {
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''));
  const columns = csvFields(lines[0] ?? '', delimiter);
  const rows: TextRow[] = [];
  for (const [i, line] of lines.entries()) {
    if (i === 0 || line.trim() === '') continue;
    const cells = csvFields(line, delimiter);
    if (cells.length !== columns.length)
      throw wrongLength(name, i + 1, { cells, columns, isLast: i === lines.length - 1 });
    rows.push({ place: `line ${i + 1}`, cells });
  }
  return { columns, rows };
}

function wrongLength(
  name: string,
  line: number,
  { cells, columns, isLast }: { cells: string[]; columns: string[]; isLast: boolean },
): SourceFailure {
  const counts = `line ${line} has ${cells.length} fields, the header ${columns.length}`;
  return isLast && cells.length < columns.length
    ? new SourceFailure('truncated', `${name} ends within a row: ${counts}.`)
    : changedShape(`${name}: ${counts}.`);
}

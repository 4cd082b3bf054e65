/** What a cell holds, apart from how it is shown. */
export type CellValue = string | number | boolean | null | undefined;

/** A column whose values can be ordered, searched and exported. */
export interface DataColumn<Row> {
  /** The API's name of the field: it heads the column of a copy or file, and names it in a link. */
  field: string;
  value: (row: Row) => CellValue;
}

/** Order, search and choice of columns of a table. */
export interface TableView {
  order?: { field: string; isDescending: boolean };
  /** Only rows that have all of these words. */
  words: string;
  /** Fields of columns that are not shown. */
  hidden: readonly string[];
  /** Fields of columns that stay in sight beside the first while the others scroll, in this order. */
  pinned: readonly string[];
}

export const WHOLE: TableView = { words: '', hidden: [], pinned: [] };

/** A view as a text for an address, such as `order=-close&words=bank&hidden=sector&pinned=close`. Empty for the whole table. */
export function viewText({ order, words, hidden, pinned }: TableView): string {
  const parts = new URLSearchParams();
  if (order) parts.set('order', (order.isDescending ? '-' : '') + order.field);
  if (words !== '') parts.set('words', words);
  if (hidden.length > 0) parts.set('hidden', hidden.join());
  if (pinned.length > 0) parts.set('pinned', pinned.join());
  return parts.toString();
}

/** The view that a text stands for. What it names and the table does not have is left out. */
export function viewOf(text: string, fields: readonly string[]): TableView {
  const parts = new URLSearchParams(text);
  const order = parts.get('order') ?? '';
  const field = order.replace(/^-/, '');
  const named = (part: string) =>
    (parts.get(part) ?? '')
      .split(',')
      .filter((name, at, all) => fields.includes(name) && all.indexOf(name) === at);
  return {
    ...(fields.includes(field) && { order: { field, isDescending: order.startsWith('-') } }),
    words: parts.get('words') ?? '',
    hidden: named('hidden'),
    pinned: named('pinned'),
  };
}

/** The columns of a view: the first, which names the row, then those that are pinned, then the others. */
export function columnsOf<Column extends { field?: string }>(
  columns: readonly Column[],
  { hidden, pinned }: TableView,
): { shown: Column[]; pinned: number } {
  const [first, ...others] = columns.filter(({ field }) => field === undefined || !hidden.includes(field));
  const kept = pinned.flatMap((name) => others.filter(({ field }) => field === name));
  const shown = [first!, ...kept, ...others.filter((column) => !kept.includes(column))];
  return { shown, pinned: kept.length };
}

/** The rows of a view. Rows without a value come last in either order; equal ones keep theirs. */
export function rowsOf<Row>(
  rows: readonly Row[],
  columns: readonly DataColumn<Row>[],
  { order, words }: TableView,
): readonly Row[] {
  const wanted = words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const found =
    wanted.length === 0
      ? rows
      : rows.filter((row) => {
          const text = columns.map(({ value }) => String(value(row) ?? '')).join('\n');
          return wanted.every((word) => text.toLowerCase().includes(word));
        });
  const by = columns.find(({ field }) => field === order?.field);
  if (!order || !by) return found;
  const sign = order.isDescending ? -1 : 1;
  return found.toSorted((a, b) => compared(by.value(a), by.value(b), sign));
}

function compared(a: CellValue, b: CellValue, sign: number): number {
  if (isMissing(a) || isMissing(b)) return Number(isMissing(a)) - Number(isMissing(b));
  if (typeof a === 'string' && typeof b === 'string') return sign * a.localeCompare(b);
  return sign * (Number(a) - Number(b));
}

const isMissing = (value: CellValue): value is null | undefined => value === null || value === undefined;

/** How a cell begins that a spreadsheet runs as a formula. An apostrophe before it prevents that, as in the API's CSV. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

function textOf(value: CellValue): string {
  return typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value ?? '');
}

/** The rows as CSV (RFC 4180), under the API's names. */
export function csvOf<Row>(rows: readonly Row[], columns: readonly DataColumn<Row>[]): string {
  return linesOf(rows, columns, ',', (text) =>
    /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text,
  );
}

/** The rows for the clipboard: a spreadsheet puts each value into a cell of its own. */
export function copyOf<Row>(rows: readonly Row[], columns: readonly DataColumn<Row>[]): string {
  return linesOf(rows, columns, '\t', (text) => text.replaceAll(/[\t\r\n]+/g, ' '));
}

function linesOf<Row>(
  rows: readonly Row[],
  columns: readonly DataColumn<Row>[],
  separator: string,
  cell: (text: string) => string,
): string {
  const head = columns.map(({ field }) => field);
  const body = rows.map((row) => columns.map(({ value }) => textOf(value(row))));
  return [head, ...body].map((cells) => `${cells.map(cell).join(separator)}\r\n`).join('');
}

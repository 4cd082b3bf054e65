import { csvFields, repeatedColumns, repeatedWords } from '#foundation/text/csv.ts';
import { cutText } from '#foundation/text/cut-text.ts';
import { changedShape, type SourceFailure } from '../deliveries/source-failure.ts';
import type { Received } from '../origins/origin.ts';
import { bodyText } from '../texts/body-text.ts';
import { csvTable } from '../texts/csv-table.ts';
import { isJsonObject, jsonBody, jsonObjects, objectsOf, type JsonObject } from '../texts/json-body.ts';
import { numberOf, scaled, type NumberMarks } from '../texts/number-text.ts';
import { dayOf } from '../texts/date-text.ts';
import {
  kindOfField,
  UNITS,
  type FieldSource,
  type Mapping,
  type SideList,
  type SkipRule,
} from './mapping.ts';
import { patternOf } from '../texts/pattern.ts';

/** A row as the mapping understands it: a text or number for each of its fields, `null` where the source has nothing. */
export interface MappedRow {
  /** Where it stands in the source. */
  place: string;
  values: Record<string, string | number | null>;
}

interface MappedRows {
  rows: MappedRow[];
  /** Left out by `skip`. */
  skipped: number;
}

interface SourceRow {
  place: string;
  /** Undefined if there is no such column. */
  cell: (column: string | number) => unknown;
  /** The entries of a list within the row, which also have its cells. */
  listed: (path: string) => SourceRow[];
}

/** What is read from the rows of a source: the only list, or one with a side. */
interface List extends Pick<Mapping, 'fields'>, Omit<SideList, 'side'> {
  side?: SideList['side'];
}

/** Cells that do not mean what the mapping says, named in a message. Others are only counted. */
const NAMED_CELLS = 5;

class BadCell extends Error {}

/**
 * Reads the rows of a source as its mapping says. `day` is the requested day, for mappings that take it as the date.
 * @throws SourceFailure changed_shape naming the row and column of the first cells that cannot be understood
 */
export function mappedRows(received: Received, mapping: Mapping, day: string | undefined): MappedRows {
  const { name } = received;
  const source = sourceRows(received, mapping);
  const bad: string[] = [];
  const rows: MappedRow[] = [];
  let skipped = 0;
  for (const list of listsOf(mapping)) {
    const entries = list.rows === '' ? source : source.flatMap(({ listed }) => listed(list.rows));
    refuseUnknownColumns(name, entries, {
      ...list,
      skip: [...mapping.skip, ...list.skip],
      body: mapping.body,
    });
    const own = entries.filter((row) => !list.skip.some((rule) => isSkipped(row, rule)));
    const kept = own.filter((row) => !mapping.skip.some((rule) => isSkipped(row, rule)));
    skipped += own.length - kept.length;
    for (const row of kept) {
      const values = valuesOf(row, list.fields, { mapping, day, bad });
      if (list.side === undefined) rows.push({ place: row.place, values });
      else if (isEntry(values)) rows.push({ place: row.place, values: ofSide(list.side, values) });
    }
  }
  if (bad.length > 0) throw notUnderstood(name, bad);
  return { rows, skipped };
}

function listsOf({ fields, lists }: Mapping): List[] {
  if (!lists) return [{ fields, rows: '', skip: [] }];
  return lists.map((list) => ({ ...list, fields: { ...fields, ...list.fields } }));
}

/** @param bad receives what cannot be understood */
function valuesOf(
  row: SourceRow,
  fields: Mapping['fields'],
  { mapping, day, bad }: { mapping: Mapping; day: string | undefined; bad: string[] },
): MappedRow['values'] {
  const values: MappedRow['values'] = {};
  for (const [field, from] of Object.entries(fields)) {
    try {
      values[field] = valueOf(field, from, row, { mapping, day });
    } catch (error) {
      if (!(error instanceof BadCell)) throw error;
      bad.push(`${row.place}, ${columnWords(from)}: ${error.message}`);
    }
  }
  return values;
}

/** Of two lists side by side in a table, the shorter one ends in empty cells. */
function isEntry({ broker, shares, value }: MappedRow['values']): boolean {
  return [broker, shares, value].some((cell) => cell !== null);
}

/** The importer puts both sides of a broker together. */
function ofSide(side: SideList['side'], { shares, value, ...keys }: MappedRow['values']) {
  const amounts = { buy_shares: 0, buy_value: 0, sell_shares: 0, sell_value: 0 };
  return { ...keys, ...amounts, [`${side}_shares`]: shares!, [`${side}_value`]: value! };
}

function notUnderstood(name: string, bad: string[]): SourceFailure {
  const named = bad.slice(0, NAMED_CELLS).join('; ');
  const more = bad.length > NAMED_CELLS ? `; and ${bad.length - NAMED_CELLS} more` : '';
  return changedShape(`${name}: ${named}${more}.`);
}

function sourceRows(received: Received, mapping: Mapping): SourceRow[] {
  const { name } = received;
  const text = bodyText(received);
  const { format, delimiter, header, rows: path } = mapping.body;
  if (format === 'csv') return header ? headedRows(name, text, delimiter) : plainRows(text, delimiter);
  const hasLists = () => mapping.lists?.some(({ rows }) => rows !== '') ?? false;
  const objects = path === '' ? jsonObjects(name, text, hasLists) : listAt(name, jsonBody(name, text), path);
  return objects.map((object, i) => jsonRow(name, object, { place: `item ${i + 1}`, cell: () => undefined }));
}

function jsonRow(name: string, object: JsonObject, within: Omit<SourceRow, 'listed'>): SourceRow {
  const { place } = within;
  const cell = (column: string | number) => {
    const own = memberAt(object, String(column));
    return own === undefined ? within.cell(column) : own;
  };
  const listed = (path: string) => {
    // Some sources write null for an empty list.
    if (memberAt(object, path) === null) return [];
    const at = (i: number) => `${place}, ${path} ${i + 1}`;
    return listAt(`${name}: ${place}`, object, path).map((entry, i) =>
      jsonRow(name, entry, { place: at(i), cell }),
    );
  };
  return { place, cell, listed };
}

const NO_LISTS = { listed: () => [] };

function headedRows(name: string, text: string, delimiter: Mapping['body']['delimiter']): SourceRow[] {
  const { columns, rows } = csvTable(name, text, delimiter);
  const placeOf = columnFinder(name, columns);
  return rows.map(({ place, cells }) => ({
    ...NO_LISTS,
    place,
    cell: (column) => cells[placeOf(String(column))],
  }));
}

/** Finds columns by name; the second one of a name is `Volume#2`. */
function columnFinder(name: string, columns: string[]): (column: string) => number {
  const at = new Map(columns.map((column, i) => [column, i]));
  const repeated = new Map(repeatedColumns(columns).map(({ column, places }) => [column, places]));
  for (const [column, places] of repeated)
    for (const [i, place] of places.entries())
      if (!columns.includes(`${column}#${i + 1}`)) at.set(`${column}#${i + 1}`, place - 1);
  return (column) => {
    const places = repeated.get(column);
    if (!places) return at.get(column) ?? -1;
    const choices = places.map((_, i) => `'${column}#${i + 1}'`).join(' or ');
    throw changedShape(
      `${name}: ${repeatedWords([{ column, places }])}. The mapping must say which: ${choices}.`,
    );
  };
}

function plainRows(text: string, delimiter: Mapping['body']['delimiter']): SourceRow[] {
  return text.split(/\r?\n/).flatMap((line, i) => {
    if (line.trim() === '') return [];
    const cells = csvFields(line, delimiter);
    const cell = (column: string | number) => cells[Number(column) - 1];
    return [{ ...NO_LISTS, place: `line ${i + 1}`, cell }];
  });
}

function listAt(name: string, body: unknown, path: string): JsonObject[] {
  const list = isJsonObject(body) ? memberAt(body, path) : undefined;
  if (!Array.isArray(list)) throw changedShape(`${name}: there is no list at '${path}'.`);
  return objectsOf(`${name}: ${path}`, list as unknown[]);
}

/** A member with exactly this name, or else the one at the end of a path such as `price.close`. */
function memberAt(object: JsonObject, path: string): unknown {
  if (Object.hasOwn(object, path)) return object[path];
  let value: unknown = object;
  for (const step of path.split('.'))
    value = isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  return value;
}

/** A column that no row has was renamed. JSON may leave a member out of some objects. */
function refuseUnknownColumns(
  name: string,
  rows: SourceRow[],
  { fields, skip, body }: Pick<Mapping, 'fields' | 'skip' | 'body'>,
): void {
  if (rows.length === 0) return;
  const columns = [...Object.values(fields), ...skip].flatMap(({ column }) =>
    column === undefined ? [] : [column],
  );
  const missing = [...new Set(columns)].filter((column) =>
    rows.every(({ cell }) => cell(column) === undefined),
  );
  if (missing.length === 0) return;
  const named = missing.map((column) => `'${column}'`).join(', ');
  throw changedShape(`${name}: no row has the ${body.format === 'csv' ? 'column' : 'member'} ${named}.`);
}

function isSkipped({ cell }: SourceRow, { column, is, matches }: SkipRule): boolean {
  const text = textOf(cell(column)) ?? '';
  return is ? is.includes(text) : patternOf(matches!).matcher(text).find();
}

function valueOf(
  field: string,
  from: FieldSource,
  row: SourceRow,
  { mapping, day }: { mapping: Mapping; day: string | undefined },
): string | number | null {
  if (from.requested_day) {
    if (day === undefined)
      throw new BadCell('a file of a folder has no requested day; rows must have a date');
    return day;
  }
  const raw = from.column === undefined ? from.constant : row.cell(from.column);
  const kind = kindOfField(field);
  if (typeof raw === 'number' && kind !== 'text' && kind !== 'day') return inUnit(raw, from);
  const text = textOf(raw);
  if (text === undefined) throw new BadCell(`${shown(raw)} is neither text nor a number`);
  const word = from.words?.[text] ?? text;
  if (mapping.missing.includes(word)) return null;
  if (kind === 'text') return word;
  return kind === 'day' ? readDay(word, mapping) : readNumber(word, from, mapping);
}

function textOf(raw: unknown): string | undefined {
  if (raw === undefined || raw === null) return '';
  if (typeof raw === 'string') return raw.trim();
  return typeof raw === 'number' || typeof raw === 'boolean' ? String(raw) : undefined;
}

function readDay(text: string, { date_format }: Mapping): string {
  const day = dayOf(text, date_format);
  if (day === undefined) throw new BadCell(`${shown(text)} is no date of the form ${date_format}`);
  return day;
}

function readNumber(text: string, from: FieldSource, mapping: Mapping): number {
  const { decimal_mark, thousands_mark, suffixes } = mapping;
  const marks: NumberMarks = { decimal: decimal_mark, thousands: thousands_mark, suffixes };
  const number = numberOf(text, marks);
  if (number !== undefined) return inUnit(number, from);
  const how = `decimal mark '${decimal_mark}', thousands mark '${thousands_mark}'`;
  throw new BadCell(`${shown(text)} is no number with ${how}, and not listed in missing`);
}

function inUnit(number: number, { unit }: FieldSource): number {
  return scaled(number, unit === undefined ? 1 : UNITS[unit]);
}

function columnWords({ column, constant }: FieldSource): string {
  if (column !== undefined) return `column '${column}'`;
  return constant === undefined ? 'requested_day' : 'constant';
}

function shown(value: unknown): string {
  return typeof value === 'string'
    ? `'${cutText(value, 40)}'`
    : cutText(JSON.stringify(value) ?? 'nothing', 40);
}

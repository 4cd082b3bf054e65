import { IDX_COLUMNS, type IdxColumn } from '#shared/data-format/idx-columns.ts';
import { isCalendarDay } from '#foundation/jakarta-time.ts';
import { csvLine } from '#foundation/text/csv.ts';
import { cutText } from '#foundation/text/cut-text.ts';
import { changedShape, SourceFailure } from '../deliveries/source-failure.ts';
import type { Received } from '../origins/origin.ts';
import { bodyText } from '../texts/body-text.ts';
import { contentDigest, namesCsv, refuseOtherDay, type Format, type Reading } from './format.ts';
import { isJsonObject, jsonBody, objectsOf, type JsonObject } from '../texts/json-body.ts';

/** The exchange's field of each column that is a number: `NonRegularVolume` of `non_regular_volume`. */
const NUMBERS = IDX_COLUMNS.filter((column) => column !== 'date' && column !== 'delisting_date').map(
  (column) => ({ column, field: fieldOf(column) }),
);
const REQUIRED = ['Date', 'StockCode', 'StockName', ...NUMBERS.map(({ field }) => field)];
/** Fields that are there, or were there at some time, and say nothing about a trading day. */
const UNREAD = ['No', 'IDStockSummary', 'Remarks', 'DelistingDate', 'persen', 'percentage'];
/** Counts, which have no fractions. A fraction is a thousands mark that was taken for a decimal one. */
const WHOLE = /(Volume|Frequency|Shares|Sell|Buy)$/;
const PLAIN_NUMBER = /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i;

interface SummaryRow {
  day: string;
  ticker: string;
  name: string;
  numbers: Map<IdxColumn, string>;
}

/** The exchange's summary of a trading day: the JSON of `GetStockSummary`, which has every stock. */
export class IdxSummary implements Format {
  async read(received: Received, day: string | undefined): Promise<Reading> {
    const { name } = received;
    const objects = summaryObjects(name, jsonBody(name, bodyText(received)), day);
    const unknown = refuseOtherFields(name, objects);
    const rows = objects.map((object, i) => rowOf(object, `${name}: row ${i + 1}`));
    for (const [i, row] of rows.entries())
      refuseOtherDay(row.day, day ?? rows[0]!.day, `row ${i + 1} of ${name}`);
    const of = rows[0]!.day;
    if (!rows.some(({ numbers }) => Number(numbers.get('volume')) > 0))
      throw new SourceFailure('not_published', `${name}: no stock has traded on ${of} so far.`);
    return {
      rows: rows.length,
      findings: unknown.length > 0 ? [`fields that are not known and not read: ${unknown.join(', ')}`] : [],
      digest: contentDigest(rows.map(({ ticker, numbers }) => [ticker, ...numbers.values()])),
      files: [
        { path: `bars/${of}.csv`, bytes: Buffer.from(barsCsv(rows)) },
        { path: `listing/${of}.csv`, bytes: Buffer.from(namesCsv(rows)) },
      ],
    };
  }
}

function fieldOf(column: IdxColumn): string {
  return column
    .split('_')
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join('');
}

function summaryObjects(name: string, body: unknown, day: string | undefined): JsonObject[] {
  const { data, recordsTotal } = isJsonObject(body) ? body : {};
  if (!Array.isArray(data)) throw changedShape(`${name}: the answer has no list 'data'.`);
  const total = Number(recordsTotal);
  if (recordsTotal === undefined || recordsTotal === null || !Number.isInteger(total))
    throw changedShape(`${name}: 'recordsTotal' must be the number of rows.`);
  if (data.length !== total)
    throw new SourceFailure('truncated', `${name} announces ${total} rows and has ${data.length}.`);
  if (data.length === 0)
    throw new SourceFailure(
      'not_published',
      `${name}: the list of stocks${day ? ` of ${day}` : ''} is empty.`,
    );
  return objectsOf(name, data);
}

/**
 * All rows have the fields of the first one that differs, or none does.
 * @returns unknown fields, if nothing is missing: the exchange may add some
 */
function refuseOtherFields(name: string, objects: JsonObject[]): string[] {
  const unknown = new Set<string>();
  for (const [i, object] of objects.entries()) {
    const missing = REQUIRED.filter((field) => !(field in object));
    const others = Object.keys(object).filter(
      (field) => !REQUIRED.includes(field) && !UNREAD.includes(field),
    );
    if (missing.length > 0) {
      const news = others.length > 0 ? `; unknown: ${quoted(others)}` : '';
      throw changedShape(
        `${name}: row ${i + 1} has other fields than the summary had: missing: ${quoted(missing)}${news}.`,
      );
    }
    for (const field of others) unknown.add(field);
  }
  return [...unknown].map((field) => cutText(field, 40)).sort();
}

function rowOf(object: JsonObject, place: string): SummaryRow {
  const text = (field: string): string => {
    const value = object[field];
    if (typeof value === 'string') return value.trim();
    throw changedShape(`${place}: ${field} is ${shown(value)}, expected text.`);
  };
  const day = text('Date').replace(/T00:00:00(\.0+)?$/, '');
  if (!isCalendarDay(day))
    throw changedShape(`${place}: Date is ${shown(object['Date'])}, expected YYYY-MM-DDT00:00:00.`);
  const numbers = NUMBERS.map(
    ({ column, field }) => [column, numberText(object[field], field, place)] as const,
  );
  return { day, ticker: text('StockCode'), name: text('StockName'), numbers: new Map(numbers) };
}

/** Numbers may come as text. Nothing is empty for the importer, to which the field then says nothing. */
function numberText(value: unknown, field: string, place: string): string {
  if (value === null || value === '') return '';
  const text =
    typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : undefined;
  if (text === undefined || !PLAIN_NUMBER.test(text))
    throw changedShape(`${place}: ${field} is ${shown(value)}, expected a number.`);
  if (WHOLE.test(field) && !Number.isInteger(Number(text)))
    throw changedShape(`${place}: ${field} is ${shown(value)}, expected a whole number.`);
  return text;
}

function barsCsv(rows: SummaryRow[]): string {
  const lines = rows.map(({ day, ticker, numbers }) =>
    csvLine([
      ticker,
      ...IDX_COLUMNS.map((column) => (column === 'date' ? day : (numbers.get(column) ?? ''))),
    ]),
  );
  return [csvLine(['ticker', ...IDX_COLUMNS]), ...lines, ''].join('\n');
}

function quoted(fields: string[]): string {
  return fields.map((field) => `'${cutText(field, 40)}'`).join(', ');
}

function shown(value: unknown): string {
  return cutText(JSON.stringify(value) ?? 'missing', 40);
}

import {
  BROKER_COLUMNS,
  brokerLayout,
  type BrokerAssumptions,
  type BrokerField,
} from '#shared/data-format/broker-layout.ts';
import { isCalendarDay } from '#foundation/jakarta-time.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { csvLine } from '#foundation/text/csv.ts';
import { cutText } from '#foundation/text/cut-text.ts';
import { changedShape, SourceFailure } from '../deliveries/source-failure.ts';
import type { Received } from '../origins/origin.ts';
import { bodyText } from '../texts/body-text.ts';
import { csvTable, type TextTable } from '../texts/csv-table.ts';
import { contentDigest, refuseOtherDay, type Format, type Reading } from './format.ts';
import { jsonObjects, type JsonObject } from '../texts/json-body.ts';
import { hasSides, isTopList, mergedTopLists, withSides } from './top-lists.ts';

/** Broker rows by stock and day, as CSV or JSON: full lists, or the largest buyers and sellers. */
export class BrokerRows implements Format {
  readonly #assumed: BrokerAssumptions;

  constructor(assumed: BrokerAssumptions) {
    this.#assumed = assumed;
  }

  async read(received: Received, day: string | undefined): Promise<Reading> {
    const { name } = received;
    const table = tableOf(received);
    if (table.rows.length === 0) throw new SourceFailure('not_published', `${name} has no rows.`);
    const top = isTopList(table) ? mergedTopLists(name, table, this.#assumed) : undefined;
    const { columns, rows } = known(top?.table ?? table);
    const at = fieldsOf(name, columns, this.#assumed);
    for (const { place, cells } of rows)
      refuseOtherDay(dayOf(cells[at.date!]!, `${name}: ${place}`), day, `${place} of ${name}`);
    const withoutDate = rows.map(({ cells }) => cells.filter((_, i) => i !== at.date));
    const stem = day ?? name.replace(/\.[^.]*$/, '');
    return {
      rows: table.rows.length,
      findings: top?.findings ?? [],
      digest: contentDigest(withoutDate),
      files: [{ path: `brokers/${stem}.csv`, bytes: Buffer.from(csvOf({ columns, rows })) }],
    };
  }
}

function tableOf(received: Received): TextTable {
  const { name } = received;
  const text = bodyText(received);
  if (!/^\s*[[{]/.test(text)) return csvTable(name, text);
  const objects = withSides(name, jsonObjects(name, text, hasSides));
  const columns = [...new Set(objects.flatMap((object) => Object.keys(object)))];
  const rows = objects.map((object, i) => ({
    place: `item ${i + 1}`,
    cells: columns.map((column) => cellOf(object, column, `${name}: item ${i + 1}`)),
  }));
  return { columns, rows };
}

function cellOf(object: JsonObject, column: string, place: string): string {
  const value = object[column] ?? '';
  if (typeof value === 'string') return value.trim();
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  // Vendors add lists and objects of their own, which no column of broker rows is.
  if (!BROKER_COLUMNS.includes(column.toLowerCase())) return '';
  throw changedShape(`${place}: ${column} is neither text nor a number.`);
}

/** The columns that the importer reads. */
function known({ columns, rows }: TextTable): TextTable {
  const kept = columns.flatMap((column, i) => (BROKER_COLUMNS.includes(column.toLowerCase()) ? [i] : []));
  // Nothing to leave out, or nothing that would be left: the columns of the source appear in the message.
  if (kept.length === 0 || kept.length === columns.length) return { columns, rows };
  return {
    columns: kept.map((i) => columns[i]!),
    rows: rows.map(({ place, cells }) => ({ place, cells: kept.map((i) => cells[i]!) })),
  };
}

/** @throws SourceFailure changed_shape naming the columns that are missing */
function fieldsOf(
  name: string,
  columns: string[],
  assumed: BrokerAssumptions,
): Partial<Record<BrokerField, number>> {
  try {
    const layout = brokerLayout(name, 'csv', columns, assumed);
    if (layout) return layout.at;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw changedShape(error.message, error);
  }
  const shown = cutText(columns.join(', '), 200);
  throw changedShape(`${name}: no broker rows begin with the columns ${shown}.`);
}

/** `YYYY-MM-DD` or `YYYYMMDD`, with a time or without. */
function dayOf(text: string, place: string): string {
  const day = text.replace(/^(\d{4})(\d{2})(\d{2})(?!\d)/, '$1-$2-$3').slice(0, 'YYYY-MM-DD'.length);
  if (isCalendarDay(day)) return day;
  throw changedShape(`${place}: the date '${cutText(text, 40)}' is no YYYY-MM-DD or YYYYMMDD.`);
}

function csvOf({ columns, rows }: TextTable): string {
  return [csvLine(columns), ...rows.map(({ cells }) => csvLine(cells)), ''].join('\n');
}

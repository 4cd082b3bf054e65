import { readFileSync } from 'node:fs';
import type { Broker } from '#proto/saring/market_data/v1/datasets.ts';
import { csvFields, repetitionIn, textOfCell } from '#foundation/text/csv.ts';
import { cutText } from '#foundation/text/cut-text.ts';
import type { ServiceError } from '#foundation/errors/service-error.ts';
import { rejected } from '../rejected.ts';

const COLUMNS = ['code', 'name', 'is_retail', 'is_foreign'] as const;
type Column = (typeof COLUMNS)[number];

const CODE = /^[A-Z0-9]{2,4}$/;
const MAX_NAME_LENGTH = 100;
const FLAGS = new Map([
  ['1', true],
  ['true', true],
  ['0', false],
  ['false', false],
]);

/** Whether a file with these columns is a broker table. Other columns are ignored. */
export function isBrokerTable(columns: readonly string[]): boolean {
  return COLUMNS.every((column) => columns.includes(column));
}

/**
 * Parses the entries of a broker table, sorted by code. People edit it by hand, so a single mistake rejects it.
 * @throws ServiceError import_rejected naming the first wrong line
 */
export function parseBrokerTable(path: string, csv: string): Broker[] {
  const [header = '', ...lines] = csv.replace(/^\uFEFF/, '').split(/\r?\n/);
  const columns = csvFields(header);
  const repetition = repetitionIn(columns, COLUMNS);
  if (repetition !== undefined) throw rejected(`${path}:1: ${repetition}`);
  const brokers = new Map<string, Broker>();
  lines.forEach((line, i) => {
    if (line.trim() === '') return;
    const fields = csvFields(line);
    const mistake = (what: string) => rejected(`${path}:${i + 2}: ${what}`);
    if (fields.length !== columns.length)
      throw mistake(`${fields.length} fields under ${columns.length} columns`);
    const broker = entryOf((column) => fields[columns.indexOf(column)]!, mistake);
    if (brokers.has(broker.code)) throw mistake(`${broker.code} has an entry already`);
    brokers.set(broker.code, broker);
  });
  return [...brokers.values()].sort((a, b) => (a.code < b.code ? -1 : 1));
}

function entryOf(field: (column: Column) => string, mistake: (what: string) => ServiceError): Broker {
  const flag = (column: Column): boolean => {
    const isSet = FLAGS.get(field(column).toLowerCase());
    if (isSet === undefined)
      throw mistake(`${column} must be 1 or 0, and is '${cutText(field(column), 20)}'`);
    return isSet;
  };
  const [code, name] = [field('code').toUpperCase(), textOfCell(field('name'))];
  if (!CODE.test(code)) throw mistake(`'${cutText(code, 20)}' is no broker code`);
  if (name === '' || name.length > MAX_NAME_LENGTH) {
    throw mistake(`the name of ${code} must have 1 to ${MAX_NAME_LENGTH} characters`);
  }
  const broker = { code, name, is_retail: flag('is_retail'), is_foreign: flag('is_foreign') };
  if (broker.is_retail && broker.is_foreign) throw mistake(`${code} cannot be both retail and foreign`);
  return broker;
}

const DEFAULT_TABLE = new URL('./default-brokers.csv', import.meta.url);

/** The known brokers of the exchange, for datasets without a broker table of their own. */
export function defaultBrokers(): Broker[] {
  return parseBrokerTable('default-brokers.csv', readFileSync(DEFAULT_TABLE, 'utf8'));
}

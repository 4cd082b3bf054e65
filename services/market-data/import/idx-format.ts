import { cutText } from '#shared/cut-text.ts';
import { ServiceError } from '#shared/service-error.ts';

/** Columns of the exchange's daily trading summary, in the order in which its files have them. */
export const IDX_COLUMNS = [
  'date',
  'previous',
  'open_price',
  'first_trade',
  'high',
  'low',
  'close',
  'change',
  'volume',
  'value',
  'frequency',
  'index_individual',
  'offer',
  'offer_volume',
  'bid',
  'bid_volume',
  'listed_shares',
  'tradeble_shares',
  'weight_for_index',
  'foreign_sell',
  'foreign_buy',
  'delisting_date',
  'non_regular_volume',
  'non_regular_value',
  'non_regular_frequency',
] as const;

export type IdxColumn = (typeof IDX_COLUMNS)[number];

export const LISTING_COLUMNS = ['code', 'name', 'listingDate', 'shares', 'listingBoard'] as const;

export type FileKind = 'bars' | 'listing' | 'other';

/** Exchange codes are four letters; rights and warrants add a suffix. */
const TICKER_FILE = /^[A-Z][A-Z0-9-]{1,11}$/i;

/**
 * What a file is, by its header, because archives are packed in many ways. A file that ought to hold bars (its name
 * is a ticker, or it lies in `bars/`) and has another header is a mistake that must not go unnoticed.
 * @throws ServiceError import_rejected naming the first column that differs
 */
export function kindOfFile(path: string, headerLine: string): FileKind {
  const header = columnsOf(headerLine);
  if (sameColumns(header, IDX_COLUMNS)) return 'bars';
  if (sameColumns(header, LISTING_COLUMNS)) return 'listing';
  if (isListingFolder(path) || !ticker(path)) return 'other';
  throw new ServiceError('import_rejected', `${path}:1: ${differenceFromIdx(header)}`);
}

/** The ticker that a file of bars is about, by the file's name; undefined when the name is none. */
export function ticker(path: string): string | undefined {
  const name = baseName(path);
  return TICKER_FILE.test(name) ? name.toUpperCase() : undefined;
}

/** The sector whose members a listing file names: files in a folder `Sectors` are called after them. */
export function sector(path: string): string {
  return /(^|\/)sectors\/[^/]+$/i.test(path) ? baseName(path) : '';
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.csv$/i, '');
}

function isListingFolder(path: string): boolean {
  return /(^|\/)listing\//i.test(path);
}

function columnsOf(headerLine: string): string[] {
  return headerLine
    .replace(/^\uFEFF/, '')
    .split(',')
    .map((column) => column.trim().replace(/^"(.*)"$/, '$1'));
}

function sameColumns(header: string[], wanted: readonly string[]): boolean {
  return header.length === wanted.length && wanted.every((column, i) => column === header[i]);
}

function differenceFromIdx(header: string[]): string {
  const at = IDX_COLUMNS.findIndex((column, i) => column !== header[i]);
  if (at < 0)
    return `the header has ${header.length} columns, the IDX daily format has ${IDX_COLUMNS.length}`;
  const found = header[at] === undefined ? 'missing' : `'${cutText(header[at], 40)}'`;
  return `column ${at + 1} of the header is ${found}, in the IDX daily format it is '${IDX_COLUMNS[at]}'`;
}

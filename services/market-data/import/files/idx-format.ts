import type { ExchangeRows } from '#synthetic-market/exchange-rows.ts';
import type { SyntheticTicker } from '#synthetic-market/generate-market.ts';
import {
  brokerLayout,
  type BrokerAssumptions,
  type BrokerLayout,
} from '#shared/data-format/broker-layout.ts';
import { IDX_COLUMNS, LISTING_COLUMNS, TICKER } from '#shared/data-format/idx-columns.ts';
import { csvFields, csvLine, repetitionIn } from '#foundation/text/csv.ts';
import { cutText } from '#foundation/text/cut-text.ts';
import { rejected } from '../rejected.ts';
import { isActionTable } from './action-table.ts';
import { isBrokerTable } from './broker-table.ts';

export interface BarsLayout {
  /**
   * Position of the ticker in a file of several tickers, counted from 0. The name of a file of one ticker is the
   * ticker.
   */
  tickerColumn?: number;
}

type FileKind = BarsLayout | 'listing' | 'broker table' | 'action table' | BrokerLayout | 'other';

const TICKER_COLUMN = /^(ticker|code|stock)$/i;
/** A file with this many of the columns is meant to be in the IDX daily format. */
const MIN_KNOWN_COLUMNS = IDX_COLUMNS.length - 5;
/** Enough unknown columns to see what a file is, and few enough for a message. */
const NAMED_COLUMNS = 5;

/**
 * Determines the kind of a CSV file from its header, because archives are packed in many ways; for broker rows, returns
 * their layout. A file that should hold bars (its name is a ticker, it has days of tickers, or it has most bar columns)
 * but has another header is an error: it must not be skipped silently.
 * @param assumed assumptions about broker rows for what the file does not state
 * @throws ServiceError import_rejected naming the columns that differ
 */
export function kindOfFile(path: string, headerLine: string, assumed: BrokerAssumptions): FileKind {
  const header = csvFields(headerLine.replace(/^\uFEFF/, ''));
  const tickerColumn = header.findIndex((column) => TICKER_COLUMN.test(column));
  const barColumns = header.filter((_, at) => at !== tickerColumn);
  if (sameColumns(barColumns, IDX_COLUMNS)) return tickerColumn < 0 ? {} : { tickerColumn };
  if (sameColumns(header, LISTING_COLUMNS)) return 'listing';
  const repetition = repetitionIn(header, LISTING_COLUMNS);
  if (repetition !== undefined && LISTING_COLUMNS.every((column) => header.includes(column)))
    throw rejected(`${path}:1: not the columns of a listing: ${repetition}.`);
  if (isBrokerTable(header)) return 'broker table';
  if (isActionTable(header)) return 'action table';
  const layout = brokerLayout(path, 'csv', header, assumed);
  if (layout) return layout;
  const isMeantAsBars = hasMost(barColumns) || (tickerColumn >= 0 && barColumns.includes('date'));
  if (!isMeantAsBars && (isListingFolder(path) || !ticker(path))) return 'other';
  const difference = differenceFromIdx(header, tickerColumn);
  throw rejected(`${path}:1: not the columns of the IDX daily format: ${difference}.`);
}

/** The ticker of a file of bars, taken from its name; undefined if the name is not a ticker. */
export function ticker(path: string): string | undefined {
  const code = baseName(path).toUpperCase();
  return new RegExp(TICKER).test(code) ? code : undefined;
}

/** The sector of the companies in a listing file. Files in a folder `Sectors` are named after their sector. */
export function sector(path: string): string {
  return /(^|\/)sectors\/[^/]+$/i.test(path) ? baseName(path) : '';
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.csv$/i, '');
}

function isListingFolder(path: string): boolean {
  return /(^|\/)listing\//i.test(path);
}

function sameColumns(header: string[], wanted: readonly string[]): boolean {
  return header.length === wanted.length && wanted.every((column, i) => column === header[i]);
}

function hasMost(header: string[]): boolean {
  return IDX_COLUMNS.filter((column) => header.includes(column)).length >= MIN_KNOWN_COLUMNS;
}

/** @param tickerColumn excluded from the comparison; -1 if there is none */
function differenceFromIdx(header: string[], tickerColumn: number): string {
  const columns = header.filter((_, place) => place !== tickerColumn);
  const missing = IDX_COLUMNS.filter((column) => !columns.includes(column));
  const unknown = columns.filter((column) => !(IDX_COLUMNS as readonly string[]).includes(column));
  const repeated = columns.filter((column, i) => columns.indexOf(column) < i && !unknown.includes(column));
  const differences = [
    ...(missing.length > 0 ? [`missing ${missing.join(', ')}`] : []),
    ...(unknown.length > 0 ? [`unknown ${quoted(unknown)}`] : []),
    ...(repeated.length > 0 ? [`repeated ${quoted(repeated)}`] : []),
  ];
  if (differences.length > 0) return differences.join('; ');
  const at = IDX_COLUMNS.findIndex((column, i) => column !== columns[i]);
  return `column ${header.indexOf(columns[at]!) + 1} is '${columns[at]}' where '${IDX_COLUMNS[at]}' belongs`;
}

function quoted(columns: string[]): string {
  const named = columns.slice(0, NAMED_COLUMNS).map((column) => `'${cutText(column, 40)}'`);
  const more = columns.length - named.length;
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

/**
 * Rows in the form of the exchange's daily file of one ticker. Columns that the rows do not have (bids, offers, …) stay
 * empty.
 */
export function barsCsv(rows: ExchangeRows): string {
  const columns = IDX_COLUMNS.map((column) =>
    column in rows ? rows[column as keyof ExchangeRows] : undefined,
  );
  const lines = rows.date.map((_, i) => columns.map((column) => column?.[i] ?? '').join(','));
  return [IDX_COLUMNS.join(','), ...lines, ''].join('\n');
}

/** Companies in the form of the exchange's listing file. */
export function listingCsv(companies: Omit<SyntheticTicker, 'rows'>[]): string {
  const lines = companies.map(({ ticker, name, listing_date, board }) =>
    csvLine([ticker, name, listing_date, '', board]),
  );
  return [LISTING_COLUMNS.join(','), ...lines, ''].join('\n');
}

import type { ExchangeRows } from '#synthetic/exchange-rows.ts';
import type { SyntheticTicker } from '#synthetic/generate-market.ts';
import { csvFields, csvLine } from '#shared/text/csv.ts';
import { cutText } from '#shared/text/cut-text.ts';
import { ServiceError } from '#shared/service-error.ts';
import { brokerLayout, type BrokerAssumptions, type BrokerLayout } from '../broker/broker-layout.ts';
import { isBrokerTable } from '../broker/broker-table.ts';

/** Columns of the exchange's daily trading summary, in the order of its files. */
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

/** How to read the rows of a file of bars. */
export interface BarsLayout {
  /**
   * Position of the ticker in a file of several tickers, counted from 0. The name of a file of one ticker is the
   * ticker.
   */
  tickerColumn?: number;
}

type FileKind = BarsLayout | 'listing' | 'broker table' | BrokerLayout | 'other';

/** Exchange codes are four letters; rights and warrants add a suffix. */
export const TICKER = '^[A-Z][A-Z0-9-]{1,11}$';
const TICKER_COLUMN = /^(ticker|code|stock)$/i;
/** A file with this many of the columns is meant to be in the IDX daily format. */
const MIN_KNOWN_COLUMNS = IDX_COLUMNS.length - 5;

/**
 * Determines the kind of a CSV file from its header, because archives are packed in many ways; for broker rows, returns
 * their layout. A file that should hold bars (its name is a ticker, or it has most bar columns) but has another header
 * is an error: it must not be skipped silently.
 * @param assumed assumptions about broker rows for what the file does not state
 * @throws ServiceError import_rejected naming the first column that differs
 */
export function kindOfFile(path: string, headerLine: string, assumed: BrokerAssumptions): FileKind {
  const header = csvFields(headerLine.replace(/^\uFEFF/, ''));
  const tickerColumn = header.findIndex((column) => TICKER_COLUMN.test(column));
  const barColumns = header.filter((_, at) => at !== tickerColumn);
  if (sameColumns(barColumns, IDX_COLUMNS)) return tickerColumn < 0 ? {} : { tickerColumn };
  if (sameColumns(header, LISTING_COLUMNS)) return 'listing';
  if (isBrokerTable(header)) return 'broker table';
  const layout = brokerLayout(path, 'csv', header, assumed);
  if (layout) return layout;
  if (!hasMost(barColumns) && (isListingFolder(path) || !ticker(path))) return 'other';
  throw new ServiceError('import_rejected', `${path}:1: ${differenceFromIdx(header, tickerColumn)}`);
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
  const places = [...header.keys()].filter((place) => place !== tickerColumn);
  const at = IDX_COLUMNS.findIndex((column, i) => column !== header[places[i] ?? header.length]);
  if (at < 0)
    return `the header has ${places.length} columns, the IDX daily format has ${IDX_COLUMNS.length}`;
  const place = places[at] ?? header.length;
  const found = header[place] === undefined ? 'missing' : `'${cutText(header[place], 40)}'`;
  return `column ${place + 1} of the header is ${found}, in the IDX daily format it is '${IDX_COLUMNS[at]}'`;
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

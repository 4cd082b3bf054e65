import type { ListedStock, ListStocksResponse } from '#proto/saring/market_data/v1/stocks.ts';
import type { MarketDataServiceService } from '#proto/saring/market_data/v1/market_data.ts';
import type { ListingStatus } from '#proto/saring/wire/v1/words.ts';
import { epochDayFromIso, isoFromEpochDay } from '#foundation/iso-day.ts';
import type { Panel } from '#quant/panel/panel.ts';
import type { CheckedRequestOf } from '#platform/grpc/method-types.ts';
import type { CursorScope, CursorSigner } from '#platform/paging/cursor.ts';
import { codeOf } from '#foundation/text/codes.ts';
import type { LoadedDataset } from '../in-memory/loaded-dataset.ts';
import { wholeCompanyName } from '../responses/company-name.ts';
import { asOfDay } from '../responses/trading-day.ts';
import { memberFilter } from '../responses/universes.ts';

export type StocksRequest = CheckedRequestOf<MarketDataServiceService['listStocks']>;

/**
 * The exchange publishes a row of every listed stock on every day, traded or not, so a stock without one has left. An import can
 * have refused single rows; a stock must lack all of these days.
 */
const DELISTED_AFTER_DAYS = 5;

/**
 * A page of the stocks that have a bar up to a day, ordered by ticker. Its cursor keeps that day, also if none was requested.
 * @throws ServiceError not_found when the dataset begins later or for an unknown universe, invalid_cursor
 */
export function stocksOf(
  loaded: LoadedDataset,
  { limit, cursor, ...requested }: StocksRequest,
  cursors: CursorSigner,
): ListStocksResponse {
  const { dataset, panel } = loaded;
  const filters = inOneCase(requested);
  const scope: CursorScope = { list: 'stocks', ...filters };
  const end = cursor === undefined ? undefined : cursors.verify(cursor, scope);
  const day = asOfDay(panel, end ? isoFromEpochDay(end.at) : filters.as_of);
  const { tickers, dates } = panel.columns;
  const isWanted = stockFilter(loaded, filters, dates[day]!);
  const stocks: ListedStock[] = [];
  let hasMore = false;
  for (let index = 0; index < tickers.length && !hasMore; index++) {
    if (end && tickers[index]! <= end.id) continue;
    if (panel.lastRow(index, day) < 0 || !isWanted(index, day)) continue;
    hasMore = stocks.length === limit;
    if (!hasMore) stocks.push(listedStock(panel, index, day));
  }
  const at = epochDayFromIso(dates[day]!);
  return {
    as_of: dates[day]!,
    stocks,
    count: stocks.length,
    next_cursor: hasMore ? cursors.sign({ at, id: stocks.at(-1)!.ticker }, scope) : undefined,
    has_more: hasMore,
    dataset_version: dataset.version,
  };
}

type Filters = Omit<StocksRequest, 'limit' | 'cursor'>;

/** Case makes no difference to what is found, so a cursor must be valid for the same filters in another case too. */
function inOneCase({ search, sector, board, universe, ...others }: Filters): Filters {
  const folded = (text: string | undefined) => text && codeOf(text);
  return {
    ...others,
    search: folded(search),
    sector: folded(sector),
    board: folded(board),
    universe: folded(universe),
  };
}

/**
 * Whether a stock (index), seen from a day, passes every filter. `date` is that day.
 * @throws ServiceError not_found for a universe that was not known then
 */
function stockFilter(
  loaded: LoadedDataset,
  { search, sector, board, universe, status }: Filters,
  date: string,
): (index: number, day: number) => boolean {
  const { panel } = loaded;
  const { tickers, listing } = panel.columns;
  const isMember = memberFilter(loaded, universe, date);
  const isFound = search === undefined ? () => true : stockSearch(search);
  return (index, day) =>
    isMember(index) &&
    isSame(listing.sector[index], sector) &&
    isSame(listing.board[index], board) &&
    (status === undefined || statusOn(panel, index, day) === status) &&
    isFound(tickers[index]!, nameOf(panel, index) ?? listing.name[index] ?? '');
}

/** Whether a listing fact, in upper case, is the requested one; every fact is if none is requested. */
function isSame(fact: string | null | undefined, wanted: string | undefined): boolean {
  return wanted === undefined || codeOf(fact ?? '') === wanted;
}

function nameOf({ columns }: Panel, index: number): string | undefined {
  return wholeCompanyName(columns.tickers[index]!, columns.listing.name[index] ?? '');
}

function statusOn(panel: Panel, index: number, day: number): ListingStatus {
  const lastDay = panel.columns.day[panel.lastRow(index, day)]!;
  return lastDay > day - DELISTED_AFTER_DAYS ? 'listed' : 'delisted';
}

function listedStock(panel: Panel, index: number, day: number): ListedStock {
  const { columns } = panel;
  const { dates, listing } = columns;
  const dateOf = (row: number) => (row < 0 ? undefined : dates[columns.day[row]!]!);
  return {
    ticker: columns.tickers[index]!,
    name: nameOf(panel, index),
    sector: listing.sector[index] || undefined,
    board: listing.board[index] || undefined,
    listed_on: listing.listed_on[index] ?? undefined,
    first_date: dateOf(panel.firstRow(index))!,
    last_date: dateOf(panel.lastRow(index, day))!,
    last_traded_date: dateOf(panel.lastTradedRow(index, day)),
    status: statusOn(panel, index, day),
  };
}

/** Letters and digits; everything else separates words. */
const WORD = /[\p{L}\p{N}]+/gu;

/**
 * A test of tickers and company names for a search: the ticker begins with it, or each of its words begins a word of the name.
 * Case makes no difference. A search without a letter or digit finds nothing.
 */
export function stockSearch(search: string): (ticker: string, name: string) => boolean {
  const code = search.trim().toUpperCase();
  const wanted = wordsOf(search);
  if (wanted.length === 0) return () => false;
  return (ticker, name) => {
    if (ticker.startsWith(code)) return true;
    const words = wordsOf(name);
    return wanted.every((part) => words.some((word) => word.startsWith(part)));
  };
}

function wordsOf(text: string): string[] {
  return text.toUpperCase().match(WORD) ?? [];
}

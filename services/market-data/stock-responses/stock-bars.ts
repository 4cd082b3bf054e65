import type { ListBarsResponse, PeriodBar } from '#proto/saring/market_data/v1/bars.ts';
import type { MarketDataServiceService } from '#proto/saring/market_data/v1/market_data.ts';
import type { BarInterval } from '#proto/saring/wire/v1/words.ts';
import { mondayOf } from '#foundation/jakarta-time.ts';
import { epochDayFromIso, isoFromEpochDay } from '#foundation/iso-day.ts';
import type { Panel } from '#quant/panel/panel.ts';
import type { CheckedRequestOf } from '#platform/grpc/method-types.ts';
import {
  invalidCursor,
  type CursorScope,
  type CursorSigner,
  type Position,
} from '#platform/paging/cursor.ts';
import { codeOf } from '#foundation/text/codes.ts';
import type { LoadedDataset } from '../in-memory/loaded-dataset.ts';
import type { ReadBarSources } from './bar-sources.ts';
import { refuseReversed } from './day-span.ts';
import { barScales, tradingOf, type BarScales } from './bar-trading.ts';
import { isDayPartial } from '../responses/partial-day.ts';
import { requireTicker } from '../responses/tickers.ts';

export type BarsRequest = CheckedRequestOf<MarketDataServiceService['listBars']>;

/**
 * A page of bars of a stock, oldest first. Its cursor says on which day the next page begins, and to the terms of which day
 * the first page was adjusted: if a version with a later split is served in between, the pages still fit together. `today` is
 * the day in Jakarta.
 * @throws ServiceError not_found (also for total returns without any dividend in the table), invalid_request if `from` is after `to`, invalid_cursor
 */
export function stockBarsOf(
  loaded: LoadedDataset,
  request: BarsRequest,
  cursors: CursorSigner,
  today: string,
): ListBarsResponse {
  const { dataset, panel, actions } = loaded;
  const { from, to, interval, adjusted, limit, cursor } = request;
  refuseReversed(from, to);
  const filters = { ticker: codeOf(request.ticker), from, to, interval, adjusted };
  const scope: CursorScope = { list: 'bars of a stock', ...filters };
  const begin = cursor === undefined ? undefined : cursors.verify(cursor, scope);
  const { ticker, index } = requireTicker(panel, request.ticker);
  const scales = barScales(loaded, adjusted, begin?.id);
  const first = begin ? isoFromEpochDay(begin.at) : from;
  const rows = rowsBetween(panel, index, first, to);
  if (!scales.areOf(index)) throw invalidCursor();
  const { bars, next } = barsOf(panel, { index, interval, scales, limit }, rows);
  const hasMore = next < rows.end;
  return {
    ticker,
    interval,
    bars,
    count: bars.length,
    next_cursor: hasMore ? cursors.sign(beginOf(panel, next, scales), scope) : undefined,
    has_more: hasMore,
    is_partial: bars.length > 0 && isDayPartial(loaded, panel.columns.day[next - 1]!, today),
    dataset_version: dataset.version,
    ...scales.stated,
    dividends: actions.exDayCount(index),
    origins: [],
    missing_days: missingDaysOf(loaded, { ...request, from: first }, index, { first: rows.first, end: next }),
  };
}

export async function withSources(page: ListBarsResponse, read: ReadBarSources): Promise<ListBarsResponse> {
  const { bars, ticker, dataset_version: version } = page;
  if (bars.length === 0) return page;
  const days = { version, ticker, from: bars[0]!.date, to: bars.at(-1)!.last_date };
  return { ...page, origins: await read(days) };
}

/** Where the page that begins with a row finds it again, in the terms of the first page. */
function beginOf(panel: Panel, row: number, { asOfDate }: BarScales): Position {
  return { at: epochDayFromIso(dateOf(panel, row)), id: asOfDate };
}

/** Rows of the panel; `end` is one past the last. */
interface Rows {
  first: number;
  end: number;
}

/** The rows of a stock (index) between two days, both included and possibly not trading days. */
function rowsBetween(panel: Panel, index: number, from: string | undefined, to: string | undefined): Rows {
  const first = from === undefined ? panel.firstRow(index) : panel.firstRowFrom(index, from);
  const end =
    to === undefined ? panel.columns.offsets[index + 1]! : panel.endRow(index, panel.dayOnOrBefore(to));
  return { first, end };
}

/** The bars of at most `limit` periods from the first row on, and the row after them. */
function barsOf(
  panel: Panel,
  list: { index: number; interval: BarInterval; scales: BarScales; limit: number },
  { first, end }: Rows,
): { bars: PeriodBar[]; next: number } {
  const bars: PeriodBar[] = [];
  const scale = list.scales.of(list.index);
  let row = first;
  while (row < end && bars.length < list.limit) {
    const { date, next } = periodOf(list.interval, dateOf(panel, row));
    let after = row + 1;
    while (after < end && dateOf(panel, after) < next) after++;
    const { traded_days, ...trading } = tradingOf(panel, row, after, scale);
    bars.push({ date, last_date: dateOf(panel, after - 1), traded_days, trading });
    row = after;
  }
  return { bars, next: row };
}

/**
 * The missing days between the bars of a page and up to the next page, so that pages together name each once. Nothing is missing
 * before a stock's first day.
 */
function missingDaysOf(
  { dataset, panel }: LoadedDataset,
  { interval, from, to }: BarsRequest,
  index: number,
  { first, end }: Rows,
): string[] {
  if (end === first) return [];
  const since = from !== undefined && first > panel.firstRow(index) ? from : dateOf(panel, first);
  const hasLater = end < panel.columns.offsets[index + 1]!;
  const before = hasLater ? dateOf(panel, end) : periodOf(interval, dateOf(panel, end - 1)).next;
  return dataset.missing_days.filter((day) => day >= since && day < before && (!to || day <= to));
}

function dateOf({ columns }: Panel, row: number): string {
  return columns.dates[columns.day[row]!]!;
}

/** A day, ISO week or calendar month. Both are YYYY-MM-DD. */
interface Period {
  /** Its first day, whether or not the exchange was open. */
  date: string;
  /** The first day after it. */
  next: string;
}

export function periodOf(interval: BarInterval, day: string): Period {
  if (interval === 'month') return { date: `${day.slice(0, 8)}01`, next: firstOfNextMonth(day) };
  if (interval === 'day') return { date: day, next: daysAfter(day, 1) };
  const date = mondayOf(day);
  return { date, next: daysAfter(date, 7) };
}

function daysAfter(day: string, days: number): string {
  return isoFromEpochDay(epochDayFromIso(day) + days);
}

function firstOfNextMonth(day: string): string {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))];
  return new Date(Date.UTC(year, month)).toISOString().slice(0, 10);
}

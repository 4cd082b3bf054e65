import type { ListBarsOfDayResponse, StockBar } from '#proto/saring/market_data/v1/bars.ts';
import type { MarketDataServiceService } from '#proto/saring/market_data/v1/market_data.ts';
import { epochDayFromIso, isoFromEpochDay } from '#foundation/iso-day.ts';
import type { Panel } from '#quant/panel/panel.ts';
import type { CheckedRequestOf } from '#platform/grpc/method-types.ts';
import type { CursorScope, CursorSigner } from '#platform/paging/cursor.ts';
import { codeOf } from '#foundation/text/codes.ts';
import type { LoadedDataset } from '../in-memory/loaded-dataset.ts';
import { barScales, tradingOf, type BarScales } from './bar-trading.ts';
import { isDayPartial } from '../responses/partial-day.ts';
import { tradingDay } from '../responses/trading-day.ts';
import { memberFilter } from '../responses/universes.ts';

export type BarsOfDayRequest = CheckedRequestOf<MarketDataServiceService['listBarsOfDay']>;

/** Between the two parts of a cursor's text. Neither a date nor a ticker contains it. */
const SEPARATOR = ' ';

/**
 * A page of bars of all stocks on one day, ordered by ticker. Its cursor keeps the day, also that of `today`, and the day to
 * whose terms the first page was adjusted, so that all pages are of one day in one form. `today` is the day in Jakarta.
 * @throws ServiceError not_found for a day without data, for an unknown universe, and for total returns without any dividend in the table;
 *   invalid_cursor
 */
export function barsOfDayOf(
  loaded: LoadedDataset,
  request: BarsOfDayRequest,
  cursors: CursorSigner,
  today: string,
): ListBarsOfDayResponse {
  const { dataset, panel, actions } = loaded;
  const { tickers, dates } = panel.columns;
  const { adjusted, limit, cursor } = request;
  const universe = request.universe && codeOf(request.universe);
  const scope: CursorScope = { list: 'bars of a day', date: request.date, adjusted, universe };
  const end = cursor === undefined ? undefined : cursors.verify(cursor, scope);
  const [asOfDate, after = ''] = end?.id.split(SEPARATOR) ?? [];
  const day = tradingDay(panel, end ? isoFromEpochDay(end.at) : request.date, today);
  const isMember = memberFilter(loaded, universe, dates[day]!);
  const scales = barScales(loaded, adjusted, asOfDate);
  const bars: StockBar[] = [];
  let hasMore = false;
  for (let index = 0; index < tickers.length && !hasMore; index++) {
    const row = tickers[index]! > after && isMember(index) ? panel.rowAt(index, day) : -1;
    if (row < 0) continue;
    hasMore = bars.length === limit;
    if (!hasMore) bars.push(stockBar(panel, index, row, scales));
  }
  const at = epochDayFromIso(dates[day]!);
  const next = () => ({ at, id: scales.asOfDate + SEPARATOR + bars.at(-1)!.ticker });
  return {
    date: dates[day]!,
    is_partial: isDayPartial(loaded, day, today),
    bars,
    count: bars.length,
    next_cursor: hasMore ? cursors.sign(next(), scope) : undefined,
    has_more: hasMore,
    dataset_version: dataset.version,
    ...scales.stated,
    dividends: actions.exDayCount(),
  };
}

function stockBar(panel: Panel, index: number, row: number, scales: BarScales): StockBar {
  const { traded_days: _, ...trading } = tradingOf(panel, row, row + 1, scales.of(index));
  return { ticker: panel.columns.tickers[index]!, trading };
}

import type {
  FlowStock,
  ListFlowsResponse,
  MarketDataServiceService,
} from '#proto/saring/market_data/v1/market_data.ts';
import {
  classNet,
  foreignNet,
  dayRatio,
  largestFlows,
  type DailyNet,
  type WindowFlow,
} from '#quant/net-flows/net-flows.ts';
import { newestGap } from '#quant/panel/gaps.ts';
import type { Panel } from '#quant/panel/panel.ts';
import type { CheckedRequestOf } from '#platform/grpc/method-types.ts';
import type { FlowType } from '#proto/saring/wire/v1/words.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { ofVersion, adjustment, rounded } from './adjustment.ts';
import { isLastDayPartial } from './partial-day.ts';
import { tradingDayWindow, type DayWindow } from './trading-day.ts';
import { memberFilter } from './universes.ts';
import type { LoadedDataset } from '../in-memory/loaded-dataset.ts';

type FlowsRequest = CheckedRequestOf<MarketDataServiceService['listFlows']>;

/**
 * Stocks with the largest net flows over the trading days up to the latest one. `today` is the day in Jakarta.
 * @throws ServiceError not_found when the dataset begins after `today`, for an unknown universe, when trading days are missing in the
 *   window, or when retail or bandar flows are requested and the broker rows do not cover it
 */
export function flowsOf(loaded: LoadedDataset, request: FlowsRequest, today: string): ListFlowsResponse {
  const { flow_type, sort_by, pattern } = request;
  const { dataset, panel } = loaded;
  const window = tradingDayWindow(panel, request.days, today);
  requireWholeWindow(panel, window);
  const minDayRatio = pattern === 'consistent' ? request.min_accum_day_ratio : null;
  const { inflow, outflow } = largestFlows(panel, netOf(loaded, flow_type, window), {
    firstDay: window.firstDay,
    lastDay: window.lastDay,
    sortBy: sort_by,
    minNetValue: request.min_abs_val,
    minPrice: request.min_price,
    minDailyValue: request.min_daily_val,
    maxPriceChangePct: request.max_price_change_pct,
    minDayRatio,
    limit: request.top_n,
    isSearched: memberFilter(loaded, request.universe, window.date_to),
  });
  return {
    flow_type,
    days: request.days,
    pattern,
    date_from: window.date_from,
    date_to: window.date_to,
    is_partial: isLastDayPartial(loaded, today),
    sort_by,
    max_price_change_pct: request.max_price_change_pct,
    min_accum_day_ratio: minDayRatio ?? undefined,
    count: inflow.length + outflow.length,
    inflow: inflow.map((flow) => flowStock(panel, flow)),
    outflow: outflow.map((flow) => flowStock(panel, flow)),
    ...ofVersion(dataset, panel),
    broker_data: flow_type === 'foreign' ? 'none' : dataset.broker_data,
  };
}

/** Sums are ranked among each other, so that one with a part left out would be a wrong place too. */
function requireWholeWindow(panel: Panel, { firstDay, lastDay, date_from, date_to }: DayWindow): void {
  const gap = newestGap(panel, lastDay);
  if (gap <= firstDay) return;
  const missing = `Trading days before ${panel.columns.dates[gap]} are missing from the data`;
  const way = `Ask for days=${lastDay + 1 - gap} or fewer.`;
  throw new ServiceError(
    'not_found',
    `${missing}, so flows of ${date_from} to ${date_to} are not known. ${way}`,
  );
}

/** Fails if the broker rows do not cover the window. Otherwise the lists would be empty, which means something else. */
function netOf(
  { dataset, panel, classFlows }: LoadedDataset,
  flowType: FlowType,
  window: DayWindow,
): DailyNet {
  if (flowType === 'foreign') return foreignNet(panel);
  const { broker_data, broker_first_date, broker_last_date } = dataset;
  if (broker_data === 'none') {
    throw new ServiceError(
      'not_found',
      `There are no broker rows in this dataset, and ${flowType} flows need them.`,
    );
  }
  const { date_from, date_to } = window;
  if (date_from < broker_first_date || date_to > broker_last_date) {
    const held = `The broker rows are of ${broker_first_date} to ${broker_last_date}`;
    const way = wayOut(panel, window, broker_first_date, broker_last_date);
    throw new ServiceError('not_found', `${held} and do not cover ${date_from} to ${date_to}. ${way}`);
  }
  return classNet(panel, classFlows, flowType);
}

/**
 * Advises the caller. Flows always end on the latest trading day, so no number of days helps if rows are missing there.
 */
function wayOut(panel: Panel, { lastDay, date_to }: DayWindow, firstHeld: string, lastHeld: string): string {
  if (date_to > lastHeld) {
    return (
      `Flows end on ${date_to}, but this day has no rows yet. The last day with rows is ${lastHeld}: ` +
      `ask for the brokers of a stock with date=${lastHeld}, or for foreign flows, which need none.`
    );
  }
  const { dates } = panel.columns;
  let days = 0;
  while (days <= lastDay && dates[lastDay - days]! >= firstHeld) days++;
  return `Ask for days=${days} or fewer.`;
}

function flowStock(panel: Panel, flow: WindowFlow): FlowStock {
  const { netToValuePct, priceChangePct, lastDayNetValue } = flow;
  const { ticker, end } = flow.stock;
  const { close, shareScale } = adjustment(panel, ticker);
  return {
    ticker: panel.columns.tickers[ticker]!,
    close: close(end - 1),
    net_value: Math.round(flow.netValue),
    net_shares: Math.round(flow.netShares * shareScale(end - 1)),
    avg_daily_value: rounded(flow.stock.averageDailyValue),
    net_to_value_pct: netToValuePct === null ? undefined : rounded(netToValuePct),
    accum_days: flow.buyDays,
    distrib_days: flow.sellDays,
    days_with_data: flow.tradedDays,
    accum_day_ratio: rounded(dayRatio(flow, 1)),
    distrib_day_ratio: rounded(dayRatio(flow, -1)),
    price_change_pct: priceChangePct === null ? undefined : rounded(priceChangePct),
    last_day_net_value: lastDayNetValue === null ? undefined : Math.round(lastDayNetValue),
  };
}

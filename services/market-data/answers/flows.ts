import type {
  FlowStock,
  ListFlowsRequest,
  ListFlowsResponse,
} from '#proto/saring/market_data/v1/market_data.ts';
import { classNet, foreignNet, type DailyNet } from '#quant/market-flows/daily-net.ts';
import { dayRatio, largestFlows } from '#quant/market-flows/largest-flows.ts';
import type { WindowFlow } from '#quant/market-flows/window-flow.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { ServiceError } from '#shared/service-error.ts';
import type { LoadedDataset } from '../in-memory/dataset-in-use.ts';
import { requireOneOf, requireWithin } from './bounds.ts';
import { requireSortBy } from './broker-selection.ts';
import { isLastDayPartial } from './partial-day.ts';
import { rounded } from './rounding.ts';
import { tradingDayWindow, type DayWindow } from './trading-day.ts';

const FLOW_TYPES = ['foreign', 'retail', 'bandar'] as const;
const PATTERNS = ['total', 'consistent'] as const;
const MAX_DAYS = 120;
const MAX_STOCKS = 100;

type FlowType = (typeof FLOW_TYPES)[number];

/**
 * Stocks with the largest net flows over the trading days up to the latest one. `today` is the day in Jakarta.
 * @throws ServiceError invalid_request, not_found when the dataset begins after `today`, or when retail or bandar is
 * asked for and the broker rows do not cover the window
 */
export function flowsOf(loaded: LoadedDataset, wanted: ListFlowsRequest, today: string): ListFlowsResponse {
  const selection = requireSelection(wanted);
  const { dataset, panel } = loaded;
  const window = tradingDayWindow(panel, wanted.days, today);
  const { inflow, outflow } = largestFlows(panel, netOf(loaded, selection.flowType, window), {
    ...{ firstDay: window.firstDay, lastDay: window.lastDay, sortBy: selection.sortBy },
    ...{ minNetValue: wanted.min_abs_val, minPrice: wanted.min_price, minDailyValue: wanted.min_daily_val },
    consistency: selection.pattern === 'consistent' ? consistencyOf(wanted) : null,
    limit: wanted.top_n,
  });
  return {
    flow_type: selection.flowType,
    days: wanted.days,
    pattern: selection.pattern,
    date_from: window.date_from,
    date_to: window.date_to,
    is_partial: isLastDayPartial(loaded, today),
    sort_by: selection.sortBy,
    inflow: inflow.map((flow) => flowStock(panel, flow)),
    outflow: outflow.map((flow) => flowStock(panel, flow)),
    dataset_version: dataset.version,
    broker_data: selection.flowType === 'foreign' ? 'none' : dataset.broker_data,
  };
}

function requireSelection(wanted: ListFlowsRequest) {
  requireWithin('days', wanted.days, 1, MAX_DAYS);
  requireWithin('min_abs_val', wanted.min_abs_val, 0);
  requireWithin('top_n', wanted.top_n, 1, MAX_STOCKS);
  requireWithin('min_price', wanted.min_price, 0);
  requireWithin('min_daily_val', wanted.min_daily_val, 0);
  requireWithin('min_accum_day_ratio', wanted.min_accum_day_ratio, 0, 1);
  requireWithin('max_price_change_pct', wanted.max_price_change_pct, -Number.MAX_VALUE);
  return {
    flowType: requireOneOf('flow_type', wanted.flow_type, FLOW_TYPES),
    sortBy: requireSortBy(wanted.sort_by),
    pattern: requireOneOf('pattern', wanted.pattern, PATTERNS),
  };
}

function consistencyOf({ min_accum_day_ratio, max_price_change_pct }: ListFlowsRequest) {
  return { minDayRatio: min_accum_day_ratio, maxPriceChangePct: max_price_change_pct };
}

/** Where the rows end within the window, every stock would be left out of the lists, which says something else. */
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
      `There are no broker rows in this dataset, which ${flowType} flows need.`,
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

/** Flows end on the latest trading day: what is missing at that end no other request makes up for. */
function wayOut(panel: Panel, { lastDay, date_to }: DayWindow, firstHeld: string, lastHeld: string): string {
  if (date_to > lastHeld) {
    return (
      `Flows end on ${date_to}, whose rows are not there yet. The last day with rows is ${lastHeld}: ` +
      `ask for the brokers of a stock with date=${lastHeld}, or for foreign flows, which need none.`
    );
  }
  const { dates } = panel.columns;
  let days = 0;
  while (days <= lastDay && dates[lastDay - days]! >= firstHeld) days++;
  return `Ask for days=${days} or fewer.`;
}

function flowStock({ columns }: Panel, flow: WindowFlow): FlowStock {
  const { netToValuePct, priceChangePct, lastDayNetValue } = flow;
  return {
    ticker: columns.tickers[flow.stock.ticker]!,
    close: flow.stock.close,
    net_value: Math.round(flow.netValue),
    net_shares: Math.round(flow.netShares),
    avg_daily_value: rounded(flow.stock.averageDailyValue),
    net_to_value_pct: netToValuePct === null ? undefined : rounded(netToValuePct),
    accum_days: flow.netValue > 0 ? flow.buyDays : flow.sellDays,
    days_with_data: flow.tradedDays,
    accum_day_ratio: rounded(dayRatio(flow)),
    price_change_pct: priceChangePct === null ? undefined : rounded(priceChangePct),
    last_day_net_value: lastDayNetValue === null ? undefined : Math.round(lastDayNetValue),
  };
}

import type { BrokerClass, ClassFlows } from '../broker-rows/class-flows.ts';
import type { RankedBy } from '../broker-rows/ranking.ts';
import type { Panel } from '../panel/panel.ts';
import type { DaySpan } from '../panel/ranges.ts';
import { priceChangePct, foreignNetValue } from '../panel/windows.ts';

/** Search criteria. Amounts are IDR. */
export interface FlowSearch extends DaySpan {
  /** Minimum absolute net value. */
  minNetValue: number;
  /** Minimum close. */
  minPrice: number;
  /** Minimum average daily value. */
  minDailyValue: number;
  sortBy: RankedBy;
  /** Excludes inflow with a price change above this, and outflow with one below its negative; percent. */
  maxPriceChangePct: number;
  /**
   * Minimum share of the traded days that were on the side of the sum, 0 to 1. Null when only the sum counts; a stock whose
   * price change is unknown then stays, since it is not known to exceed `maxPriceChangePct`.
   */
  minDayRatio: number | null;
  /** Maximum number of stocks in each list. */
  limit: number;
  /** The stocks (indices) to search; all if undefined. */
  isSearched?: (ticker: number) => boolean;
}

/** Stocks with net buying and stocks with net selling, the largest first. */
interface LargestFlows {
  inflow: WindowFlow[];
  outflow: WindowFlow[];
}

/**
 * The stocks of the market with the largest net flows over a window. The net value decides which side a stock is on. `sortBy`
 * orders the lists; ties are in ticker order. About a thousand tickers over 120 days take a millisecond, so the search may
 * run on the request path.
 */
export function largestFlows(panel: Panel, net: DailyNet, search: FlowSearch): LargestFlows {
  const [inflow, outflow]: [WindowFlow[], WindowFlow[]] = [[], []];
  for (let ticker = 0; ticker < panel.tickerCount; ticker++) {
    if (search.isSearched && !search.isSearched(ticker)) continue;
    const stock = stockWindow(panel, ticker, search);
    const flow = stock && isTradedEnough(stock, search) ? windowFlow(panel, net, stock) : undefined;
    if (!flow || Math.abs(flow.netValue) < search.minNetValue) continue;
    if (flow.netValue > 0 && isWanted(flow, 1, search)) inflow.push(flow);
    if (flow.netValue < 0 && isWanted(flow, -1, search)) outflow.push(flow);
  }
  return { inflow: largest(inflow, 1, search), outflow: largest(outflow, -1, search) };
}

/** Share of traded days with net buying (side 1) or net selling (side -1), 0 to 1; 0 without traded days. */
export function dayRatio({ buyDays, sellDays, tradedDays }: WindowFlow, side: 1 | -1): number {
  return tradedDays > 0 ? (side > 0 ? buyDays : sellDays) / tradedDays : 0;
}

function isTradedEnough(stock: StockWindow, { minPrice, minDailyValue }: FlowSearch): boolean {
  return stock.close >= minPrice && stock.averageDailyValue >= minDailyValue;
}

function isWanted(flow: WindowFlow, side: 1 | -1, { maxPriceChangePct, minDayRatio }: FlowSearch): boolean {
  const { priceChangePct } = flow;
  if (priceChangePct !== null && side * priceChangePct > maxPriceChangePct) return false;
  return minDayRatio === null || (priceChangePct !== null && dayRatio(flow, side) >= minDayRatio);
}

function largest(flows: WindowFlow[], side: 1 | -1, { sortBy, limit }: FlowSearch): WindowFlow[] {
  const amount = (flow: WindowFlow) => side * (sortBy === 'value' ? flow.netValue : flow.netShares);
  return flows.sort((a, b) => amount(b) - amount(a) || a.stock.ticker - b.stock.ticker).slice(0, limit);
}

/** Net flow of a group of investors in a stock over a window, and how its price moved. */
export interface WindowFlow {
  stock: StockWindow;
  /** IDR. */
  netValue: number;
  /** Shares, adjusted to the stock's last row in the window. */
  netShares: number;
  /** 100 × net value / traded value; null when nothing was traded. */
  netToValuePct: number | null;
  /** Days of net buying and of net selling, by value. */
  buyDays: number;
  sellDays: number;
  /** Days on which the stock traded. */
  tradedDays: number;
  /** Adjusted close against the last close before the window, percent; null for a stock listed within the window. */
  priceChangePct: number | null;
  /** Net value of the window's last day, IDR: 0 when the stock did not trade on it, null when it has no row on it. */
  lastDayNetValue: number | null;
}

/**
 * The flow of a stock over a window. Undefined when the flow of any day on which the stock traded is unknown, because a
 * partial sum would be misleading. A day without trades adds nothing and counts neither as buying nor as selling. Only one
 * row outside the window is used: the close before it.
 */
function windowFlow(panel: Panel, net: DailyNet, stock: StockWindow): WindowFlow | undefined {
  const { ticker, from, end, firstDay, lastDay, tradedValue } = stock;
  const { day, volume } = panel.columns;
  const days = net(ticker, from, end);
  if (!days) return undefined;
  const lastRow = end - 1;
  let [netValue, netShares, buyDays, sellDays, tradedDays] = [0, 0, 0, 0, 0];
  for (let row = from; row < end; row++) {
    if (volume[row] === 0) continue;
    const dayNet = days.value[row - from]!;
    netValue += dayNet;
    netShares += days.shares[row - from]! * panel.shareScale(row, lastRow);
    tradedDays += 1;
    if (dayNet > 0) buyDays += 1;
    if (dayNet < 0) sellDays += 1;
  }
  const lastNet = volume[lastRow] === 0 ? 0 : days.value[lastRow - from]!;
  return {
    stock,
    netValue,
    netShares,
    buyDays,
    sellDays,
    tradedDays,
    netToValuePct: tradedValue > 0 ? (100 * netValue) / tradedValue : null,
    priceChangePct: priceChangePct(panel, ticker, firstDay, lastDay),
    lastDayNetValue: day[lastRow] === lastDay ? lastNet : null,
  };
}

/** A stock (index) in a window of days. */
interface StockWindow extends DaySpan {
  ticker: number;
  /** The stock's panel rows in the window: `from` inclusive, `end` exclusive; at least one row. */
  from: number;
  end: number;
  /** Close of the stock's last row in the window, IDR, unadjusted. */
  close: number;
  /** IDR. */
  tradedValue: number;
  /** IDR per day since the listing or the start of the window, days without trades included. */
  averageDailyValue: number;
}

/** Undefined for a stock without a row in the window. */
function stockWindow(panel: Panel, ticker: number, window: DaySpan): StockWindow | undefined {
  const { firstDay, lastDay } = window;
  const { day, close, value } = panel.columns;
  const [from, end] = [panel.endRow(ticker, firstDay - 1), panel.endRow(ticker, lastDay)];
  if (from === end) return undefined;
  let tradedValue = 0;
  for (let row = from; row < end; row++) tradedValue += value[row]!;
  const daysListed = lastDay + 1 - Math.max(firstDay, day[panel.firstRow(ticker)]!);
  const averageDailyValue = tradedValue / daysListed;
  return { firstDay, lastDay, ticker, from, end, close: close[end - 1]!, tradedValue, averageDailyValue };
}

/** What a group of investors bought less what it sold of a stock, one value for each day. */
interface NetDays {
  /** IDR. */
  value: Float64Array;
  /** Shares, unadjusted. */
  shares: Float64Array;
}

/**
 * Returns the nets of the consecutive panel rows `from` (inclusive) to `end` (exclusive) of `ticker` (index). Undefined when
 * the net of a row with volume is unknown. The arrays start with the first row, may be longer than the rows, and are
 * overwritten by the next call.
 */
export type DailyNet = (ticker: number, from: number, end: number) => NetDays | undefined;

/** Net of foreign investors, as published by the exchange. */
export function foreignNet(panel: Panel): DailyNet {
  const { foreign_buy, foreign_sell, volume } = panel.columns;
  const days = daysOf(panel);
  return (_ticker, from, end) => {
    for (let row = from; row < end; row++) {
      days.value[row - from] = foreignNetValue(panel, row);
      if (volume[row]! > 0 && Number.isNaN(days.value[row - from]!)) return undefined;
      days.shares[row - from] = foreign_buy[row]! - foreign_sell[row]!;
    }
    return days;
  };
}

/** Net of the brokers of a class; known where broker rows are in memory. */
export function classNet(panel: Panel, flows: ClassFlows, of: BrokerClass): DailyNet {
  const { day, volume } = panel.columns;
  const net = flows.columns[of];
  const days = daysOf(panel);
  return (ticker, from, end) => {
    for (let row = from; row < end; row++) {
      const isKnown = flows.isKnown(ticker, day[row]!);
      if (!isKnown && volume[row]! > 0) return undefined;
      const at = flows.at(ticker, day[row]!);
      days.value[row - from] = isKnown ? net.value[at]! : 0;
      days.shares[row - from] = isKnown ? net.shares[at]! : 0;
    }
    return days;
  };
}

function daysOf({ dayCount }: Panel): NetDays {
  return { value: new Float64Array(dayCount), shares: new Float64Array(dayCount) };
}

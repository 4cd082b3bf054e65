import type { BrokerClass, ClassFlows } from '../broker-rows/class-flows.ts';
import type { RankedBy } from '../broker-rows/ranking.ts';
import type { Panel } from '../panel/panel.ts';
import type { DaySpan } from '../panel/ranges.ts';
import { priceChangePct, foreignNetValue } from '../panel/windows.ts';

/** Which flows to find. Amounts are IDR. */
export interface FlowSearch extends DaySpan {
  /** Least absolute net value. */
  minNetValue: number;
  /** Least close. */
  minPrice: number;
  /** Least average daily value. */
  minDailyValue: number;
  sortBy: RankedBy;
  /** Inflow is left out above this price change, outflow below its negative, percent. */
  maxPriceChangePct: number;
  /**
   * Least share of the traded days that were on the side of the sum, 0 to 1. null when the sum alone decides: then a
   * stock whose price change is not known stays: that it ran away is not known.
   */
  minDayRatio: number | null;
  /** Most stocks of each list. */
  limit: number;
}

/** Stocks that were bought and sold net, the largest first. */
interface LargestFlows {
  inflow: WindowFlow[];
  outflow: WindowFlow[];
}

/**
 * The stocks of the market with the largest net flows over a window. The net value says on which side a stock is, by
 * `sortBy` the lists are ordered, equal ones by ticker. About a thousand tickers over 120 days take a millisecond, so that
 * the search may run where requests are served.
 */
export function largestFlows(panel: Panel, net: DailyNet, search: FlowSearch): LargestFlows {
  const [inflow, outflow]: [WindowFlow[], WindowFlow[]] = [[], []];
  for (let ticker = 0; ticker < panel.tickerCount; ticker++) {
    const stock = stockWindow(panel, ticker, search);
    const flow = stock && isTradedEnough(stock, search) ? windowFlow(panel, net, stock) : undefined;
    if (!flow || Math.abs(flow.netValue) < search.minNetValue) continue;
    if (flow.netValue > 0 && isWanted(flow, 1, search)) inflow.push(flow);
    if (flow.netValue < 0 && isWanted(flow, -1, search)) outflow.push(flow);
  }
  return { inflow: largest(inflow, 1, search), outflow: largest(outflow, -1, search) };
}

/** The share of traded days with net buying (1) or net selling (-1), 0 to 1; 0 without any. */
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
  /** Shares in the terms of the stock's last row in the window. */
  netShares: number;
  /** 100 × net value / value traded; null when nothing was. */
  netToValuePct: number | null;
  /** Days of net buying and of net selling, by value. */
  buyDays: number;
  sellDays: number;
  /** Days on which the stock traded. */
  tradedDays: number;
  /** Close against the one before the window, adjusted, percent; null for a stock listed within the window. */
  priceChangePct: number | null;
  /** Of the window's last day, IDR: 0 when the stock did not trade on it, null when it has no row of it. */
  lastDayNetValue: number | null;
}

/**
 * The flow of a stock over a window; undefined when it is not known of a day on which the stock traded: part of a sum
 * is no sum. A day without trades counts as nothing, and as no day of buying or selling. Rows outside the window have
 * no influence but for the close before it.
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
  /** Its panel rows in the window: `from` inclusive, `end` exclusive; at least one. */
  from: number;
  end: number;
  /** As traded, IDR: of its last row in the window. */
  close: number;
  /** IDR. */
  tradedValue: number;
  /** IDR a day since the listing, days without trades included. */
  averageDailyValue: number;
}

/** undefined for a stock without a row in the window. */
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

/** What a group of investors bought less what it sold of a stock, one value a day. */
interface NetDays {
  /** IDR. */
  value: Float64Array;
  /** Shares as they were on the day. */
  shares: Float64Array;
}

/**
 * Gives the net of each of the consecutive panel rows `from` (inclusive) to `end` (exclusive) of `ticker` (index);
 * undefined when that of a row with volume is not known. The arrays begin with the first row, may be longer than the
 * rows, and are overwritten by the next call.
 */
export type DailyNet = (ticker: number, from: number, end: number) => NetDays | undefined;

/** Of foreign investors, as the exchange publishes it: known of every day. */
export function foreignNet(panel: Panel): DailyNet {
  const { foreign_buy, foreign_sell } = panel.columns;
  const days = daysOf(panel);
  return (_ticker, from, end) => {
    for (let row = from; row < end; row++) {
      days.value[row - from] = foreignNetValue(panel, row);
      days.shares[row - from] = foreign_buy[row]! - foreign_sell[row]!;
    }
    return days;
  };
}

/** Of the brokers of a class: known where broker rows are in memory. */
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

import type { DaySpan } from '../broker-flow/flow-builder.ts';
import type { RankedBy } from '../broker-flow/ranking.ts';
import type { Panel } from '../panel/panel.ts';
import type { DailyNet } from './daily-net.ts';
import { stockWindow, type StockWindow } from './stock-window.ts';
import { windowFlow, type WindowFlow } from './window-flow.ts';

/** Which flows to find. Amounts are IDR. */
export interface FlowSearch extends DaySpan {
  /** Least absolute net value. */
  minNetValue: number;
  /** Least close. */
  minPrice: number;
  /** Least average daily value. */
  minDailyValue: number;
  sortBy: RankedBy;
  /** Demanded of the days and of the price; without it the sum alone decides. */
  consistency: Consistency | null;
  /** Most stocks of each list. */
  limit: number;
}

export interface Consistency {
  /** Least share of the traded days that were on the side of the sum, 0 to 1. */
  minDayRatio: number;
  /** Inflow is left out above this price change, outflow below its negative, percent. */
  maxPriceChangePct: number;
}

/** Stocks that were bought and sold net, the largest first. */
export interface LargestFlows {
  inflow: WindowFlow[];
  outflow: WindowFlow[];
}

/**
 * The stocks of the market with the largest net flows over a window. The net value says on which side a stock is, by
 * `sortBy` the lists are ordered, equal ones by ticker. A price change that is not known is not below any bound. About
 * a thousand tickers over 120 days take a millisecond, so that the search may run where requests are served.
 */
export function largestFlows(panel: Panel, net: DailyNet, search: FlowSearch): LargestFlows {
  const [inflow, outflow]: [WindowFlow[], WindowFlow[]] = [[], []];
  for (let ticker = 0; ticker < panel.tickerCount; ticker++) {
    const stock = stockWindow(panel, ticker, search);
    const flow = stock && isTradedEnough(stock, search) ? windowFlow(panel, net, stock) : undefined;
    if (!flow || Math.abs(flow.netValue) < search.minNetValue) continue;
    if (flow.netValue > 0 && isConsistent(flow, 1, search)) inflow.push(flow);
    if (flow.netValue < 0 && isConsistent(flow, -1, search)) outflow.push(flow);
  }
  return { inflow: largest(inflow, 1, search), outflow: largest(outflow, -1, search) };
}

/** The share of traded days on the side of the sum, 0 to 1; 0 without any. */
export function dayRatio({ netValue, buyDays, sellDays, tradedDays }: WindowFlow): number {
  return tradedDays > 0 ? (netValue > 0 ? buyDays : sellDays) / tradedDays : 0;
}

function isTradedEnough(stock: StockWindow, { minPrice, minDailyValue }: FlowSearch): boolean {
  return stock.close >= minPrice && stock.averageDailyValue >= minDailyValue;
}

function isConsistent(flow: WindowFlow, side: 1 | -1, { consistency }: FlowSearch): boolean {
  if (!consistency) return true;
  const { minDayRatio, maxPriceChangePct } = consistency;
  const hasNotRunAway = flow.priceChangePct !== null && side * flow.priceChangePct <= maxPriceChangePct;
  return hasNotRunAway && dayRatio(flow) >= minDayRatio;
}

function largest(flows: WindowFlow[], side: 1 | -1, { sortBy, limit }: FlowSearch): WindowFlow[] {
  const amount = (flow: WindowFlow) => side * (sortBy === 'value' ? flow.netValue : flow.netShares);
  return flows.sort((a, b) => amount(b) - amount(a) || a.stock.ticker - b.stock.ticker).slice(0, limit);
}

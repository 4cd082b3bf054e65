import type { Panel } from '../panel/panel.ts';
import { negoTotal, type NegoTotal } from './nego-total.ts';

export interface NegoScan {
  /** Calendar indices, both included; equal for a single day. */
  firstDay: number;
  lastDay: number;
  /** IDR that a ticker must have traded at least. */
  minValue: number;
  /** Most tickers to give. */
  limit: number;
}

/** A ticker (index) and what it traded. */
export interface NegoFound {
  ticker: number;
  total: NegoTotal;
}

/**
 * Tickers whose negotiated value over the days reaches `minValue` (and is positive), largest first; equal ones in
 * ticker order. Every ticker's rows are only summed, and the totals made of those that are given: a thousand tickers
 * over 120 days take about a millisecond, and a few the first time, so that the scan may run where requests are served.
 */
export function largestNego(panel: Panel, { firstDay, lastDay, minValue, limit }: NegoScan): NegoFound[] {
  const found: { ticker: number; value: number }[] = [];
  for (let ticker = 0; ticker < panel.tickerCount; ticker++) {
    const value = negoValue(panel, ticker, firstDay, lastDay);
    if (value > 0 && value >= minValue) found.push({ ticker, value });
  }
  found.sort((a, b) => b.value - a.value || a.ticker - b.ticker);
  return found
    .slice(0, limit)
    .map(({ ticker }) => ({ ticker, total: negoTotal(panel, ticker, firstDay, lastDay) }));
}

function negoValue(panel: Panel, ticker: number, firstDay: number, lastDay: number): number {
  const { nego_value } = panel.columns;
  const end = panel.endRow(ticker, lastDay);
  let sum = 0;
  for (let row = panel.endRow(ticker, firstDay - 1); row < end; row++) sum += nego_value[row]!;
  return sum;
}

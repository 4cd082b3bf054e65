import type { Panel } from '../panel/panel.ts';
import type { BrokerFlow } from './broker-flow.ts';
import { oneBrokerTotal } from './broker-totals.ts';
import type { StockSpan, Trading } from './trading.ts';

/** What one broker did in one stock (index) over a span of days. */
export interface StockTotal extends Trading {
  ticker: number;
}

/** Tickers of a panel, by index: `from` inclusive, `to` exclusive. */
export interface TickerRange {
  from: number;
  to: number;
}

/**
 * Every stock among `tickers` that the broker (index) traded in the span, in the order of tickers. Runs through every
 * row of the span: of a thousand stocks and 120 days two to three million, which take some ten milliseconds. Who must
 * not be held up for so long asks for a part of the tickers at a time.
 */
export function brokerStocks(
  panel: Panel,
  flow: BrokerFlow,
  span: Omit<StockSpan, 'ticker'>,
  broker: number,
  tickers: TickerRange = { from: 0, to: panel.tickerCount },
): StockTotal[] {
  const stocks: StockTotal[] = [];
  for (let ticker = tickers.from; ticker < Math.min(tickers.to, panel.tickerCount); ticker++) {
    const total = oneBrokerTotal(panel, flow, { ...span, ticker }, broker);
    if (total) stocks.push({ ...total, ticker });
  }
  return stocks;
}

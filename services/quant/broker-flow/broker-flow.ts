import type { RowRange } from '../panel/row-range.ts';
import { MARKETS, NET_ROWS, type FlowColumns, type Market } from './flow-columns.ts';

const NO_RANGE: RowRange = { from: 0, to: 0 };

/**
 * Look-ups over {@link FlowColumns}. Tickers and days are indices of the panel the rows belong to; -1 says "there is
 * none". Days outside the held ones have no rows.
 */
export class BrokerFlow {
  readonly columns: FlowColumns;
  readonly #indexOfBroker: ReadonlyMap<string, number>;
  readonly #dayCount: number;

  constructor(columns: FlowColumns) {
    this.columns = columns;
    this.#dayCount = Math.max(0, columns.lastDay + 1 - columns.firstDay);
    this.#indexOfBroker = new Map(columns.brokers.codes.map((code, index) => [code, index]));
  }

  get rowCount(): number {
    return this.columns.broker.length;
  }

  /** Index of an upper-case broker code, -1 when neither table nor rows have it. */
  brokerIndex(code: string): number {
    return this.#indexOfBroker.get(code) ?? -1;
  }

  /** Whether rows of the day would be here if the dataset has any. */
  holds(day: number): boolean {
    return day >= this.columns.firstDay && day <= this.columns.lastDay;
  }

  /** Index of a stock-day in a market into `offsets` and `mode`. The day must be held. */
  group(market: Market, ticker: number, day: number): number {
    const { tickerCount, firstDay } = this.columns;
    return (MARKETS.indexOf(market) * tickerCount + ticker) * this.#dayCount + (day - firstDay);
  }

  /** Rows of a stock from one day to another, both included; they are consecutive. */
  rows(market: Market, ticker: number, fromDay: number, toDay = fromDay): RowRange {
    const { firstDay, lastDay, offsets } = this.columns;
    const [from, to] = [Math.max(fromDay, firstDay), Math.min(toDay, lastDay)];
    if (from > to) return NO_RANGE;
    return {
      from: offsets[this.group(market, ticker, from)]!,
      to: offsets[this.group(market, ticker, to) + 1]!,
    };
  }

  /** Whether only the difference of the sides is known of a stock-day. */
  isNet(market: Market, ticker: number, day: number): boolean {
    return this.holds(day) && this.columns.mode[this.group(market, ticker, day)] === NET_ROWS;
  }
}

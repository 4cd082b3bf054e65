import type { RowRange } from '../panel/ranges.ts';

/** `REG` is the regular market, `NEGO` the negotiated one. */
export const MARKETS = ['REG', 'NEGO'] as const;
export type Market = (typeof MARKETS)[number];

/** Days of one stock in one market. */
export interface StockSpan {
  market: Market;
  /** Index of the panel. */
  ticker: number;
  /** Calendar indices, both included. */
  firstDay: number;
  lastDay: number;
  /** Calendar index of the day in whose terms prices and shares are, the span's last one when it is left out. */
  asOfDay?: number;
}

/** Of a stock-day with rows: both sides of every broker, or only the difference of the sides, on the larger one. */
export const GROSS_ROWS = 1;
export const NET_ROWS = 2;

/** One value a row: what one broker did in one stock on one day in one market. Never negative, never adjusted. */
export interface FlowRowColumns {
  /** Index into {@link FlowBrokers.codes}. */
  broker: Uint16Array;
  /** Shares. */
  buy_shares: Float64Array;
  sell_shares: Float64Array;
  /** Whole IDR, so that sums are exact up to 2^53. */
  buy_value: Float64Array;
  sell_value: Float64Array;
}

/**
 * The brokers that occur, in ascending order of their codes. The classes are disjoint; who is neither retail nor
 * foreign is a local institution (`bandar`).
 */
export interface FlowBrokers {
  codes: string[];
  /** null for a code that the broker table does not have. */
  names: (string | null)[];
  /** 1 or 0. */
  isRetail: Uint8Array;
  isForeign: Uint8Array;
}

/**
 * Broker rows of consecutive days of a panel's calendar, in memory. A plain object over shared memory, as
 * `PanelColumns` is. Rows are grouped by market, within that by ticker, within that by day; within a stock-day they
 * ascend by broker.
 */
export interface FlowColumns extends FlowRowColumns {
  brokers: FlowBrokers;
  /** Calendar indices of the first and the last day held; no days when `lastDay` is below `firstDay`. */
  firstDay: number;
  lastDay: number;
  /** Of the panel the rows belong to. */
  tickerCount: number;
  /** Rows of group g are `offsets[g]` (inclusive) to `offsets[g + 1]` (exclusive); see `BrokerFlow.group`. */
  offsets: Uint32Array;
  /** Of group g: 0 without rows, GROSS_ROWS or NET_ROWS. */
  mode: Uint8Array;
}

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

/**
 * Calls `onRow(row, day)` for every row that a broker (index) has in the span, days ascending. Runs through all rows of
 * the span, which are consecutive: some hundred thousand a millisecond, so that no index by broker has to be kept.
 */
export function forEachRowOfBroker(
  flow: BrokerFlow,
  { market, ticker, firstDay, lastDay }: StockSpan,
  broker: number,
  onRow: (row: number, day: number) => void,
): void {
  const { from, to } = flow.rows(market, ticker, firstDay, lastDay);
  if (from === to) return;
  const { broker: brokerOf, offsets } = flow.columns;
  let day = Math.max(firstDay, flow.columns.firstDay);
  let group = flow.group(market, ticker, day);
  for (let row = from; row < to; row++) {
    if (brokerOf[row] !== broker) continue;
    while (offsets[group + 1]! <= row) {
      group++;
      day++;
    }
    onRow(row, day);
  }
}

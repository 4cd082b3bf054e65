import type { RowRange } from '../panel/ranges.ts';
import type { PackedColumn, Packing } from './packed-column.ts';

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
  /** Calendar index of the day to whose terms prices and shares are adjusted; by default the span's last day. */
  asOfDay?: number;
}

/** What rows a stock-day has: both sides of every broker, or only the difference of the sides, stored on the larger side. */
export const GROSS_ROWS = 1;
export const NET_ROWS = 2;

/** Shares trade in lots of 100. On the real market one row in forty is an exception: an odd lot, or 6.5 million shares. */
const SHARES: Packing = { unit: 100, type: Uint16Array };
/** Whole IDR. On the real market one row in fifty is an exception: 4.3 billion. */
const VALUES: Packing = { unit: 1, type: Uint32Array };
export const PACKINGS = {
  buy_shares: SHARES,
  sell_shares: SHARES,
  buy_value: VALUES,
  sell_value: VALUES,
} as const;
export const FLOW_NUMBERS = Object.keys(PACKINGS) as (keyof typeof PACKINGS)[];

/** One value for each row: what one broker did in one stock on one day in one market. Never negative, never adjusted. */
export interface FlowRowColumns {
  /** Index into {@link FlowBrokers.codes}. */
  broker: BrokerColumn;
  /** Shares. */
  buy_shares: PackedColumn;
  sell_shares: PackedColumn;
  /** Whole IDR, so that sums are exact up to 2^53. */
  buy_value: PackedColumn;
  sell_value: PackedColumn;
}

/** The exchange has a hundred brokers, so their indices nearly always fit into a byte. */
export type BrokerColumn = Uint8Array | Uint16Array;

/**
 * The brokers that occur, in ascending order of code. The classes are disjoint: a broker that is neither retail nor foreign
 * is a local institution (`bandar`).
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
 * Broker rows of consecutive days of a panel's calendar, in memory. A plain object over shared memory, like `PanelColumns`.
 * Rows are sorted by market, then ticker, then day, then broker.
 */
export interface FlowColumns extends FlowRowColumns {
  brokers: FlowBrokers;
  /** Calendar indices of the first and the last day held. There are no days when `lastDay` is below `firstDay`. */
  firstDay: number;
  lastDay: number;
  /** Number of tickers of the panel that the rows belong to. */
  tickerCount: number;
  /** Rows of group g are `offsets[g]` (inclusive) to `offsets[g + 1]` (exclusive); see `BrokerFlow.group`. */
  offsets: Uint32Array;
  /** For group g: 0 without rows, else GROSS_ROWS or NET_ROWS. */
  mode: Uint8Array;
}

const NO_RANGE: RowRange = { from: 0, to: 0 };

/**
 * Look-ups over {@link FlowColumns}. Tickers and days are indices of the panel that the rows belong to; -1 means "none". Days
 * that are not held have no rows.
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

  /** Index of an upper-case broker code, -1 when neither the broker table nor the rows have it. */
  brokerIndex(code: string): number {
    return this.#indexOfBroker.get(code) ?? -1;
  }

  /** Whether this day is loaded, so that a stock-day without rows here has none in the dataset either. */
  holds(day: number): boolean {
    return day >= this.columns.firstDay && day <= this.columns.lastDay;
  }

  /** Index into `offsets` and `mode` for a stock-day in a market. The day must be held. */
  group(market: Market, ticker: number, day: number): number {
    const { tickerCount, firstDay } = this.columns;
    return (MARKETS.indexOf(market) * tickerCount + ticker) * this.#dayCount + (day - firstDay);
  }

  /** Rows of a stock from `fromDay` to `toDay`, both included. They are consecutive. */
  rows(market: Market, ticker: number, fromDay: number, toDay = fromDay): RowRange {
    const { firstDay, lastDay, offsets } = this.columns;
    const [from, to] = [Math.max(fromDay, firstDay), Math.min(toDay, lastDay)];
    if (from > to) return NO_RANGE;
    return {
      from: offsets[this.group(market, ticker, from)]!,
      to: offsets[this.group(market, ticker, to) + 1]!,
    };
  }

  /** Whether the stock-day has net rows: only the difference of each broker's sides is known. */
  isNet(market: Market, ticker: number, day: number): boolean {
    return this.holds(day) && this.columns.mode[this.group(market, ticker, day)] === NET_ROWS;
  }
}

/**
 * Calls `onRow(row, day)` for every row of a broker (index) in the span, days ascending. Scans all rows of the span, which
 * are consecutive: some hundred thousand rows per millisecond, so no index by broker is needed.
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

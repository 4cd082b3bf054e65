/** `REG` is the regular market, `NEGO` the negotiated one. */
export const MARKETS = ['REG', 'NEGO'] as const;
export type Market = (typeof MARKETS)[number];

/** Of a stock-day: no rows; both sides of every broker; only the difference of the sides, on the larger one. */
export const NO_ROWS = 0;
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
  /** Of group g: NO_ROWS, GROSS_ROWS or NET_ROWS. */
  mode: Uint8Array;
}

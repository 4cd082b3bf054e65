import { sharedColumn } from '../panel/panel-columns.ts';

/**
 * Measures stored of the gross broker rows of a stock-day in the regular market, taken from both sides of each broker before
 * netting. b and s are what a broker bought and sold in IDR, net = b - s, T = sum of b. Shares of T lie between 0 and 1, nets
 * between -1 and 1. A window of days weights each day by its T.
 */
export const MEASURES = [
  /** T, IDR. */
  'turnover',
  /** Shares bought, not adjusted for splits. */
  'bought_shares',
  /** Bought by the 1, 3 and 5 largest gross buyers / T; sold by the 1, 3 and 5 largest gross sellers / all sold. */
  'top1_buy',
  'top3_buy',
  'top5_buy',
  'top1_sell',
  'top3_sell',
  'top5_sell',
  /** Sum of (b / T)², and of (s / sum of s)²: the Herfindahl index, 1 for a single broker. */
  'hhi_buy',
  'hhi_sell',
  /** Net of the five largest net buyers plus net of the five largest net sellers, / T. */
  'top5_net',
  /** Net bought by all net buyers / T. */
  'net_bought',
  /** Sum of min(b, s) / T: what the same brokers both bought and sold. */
  'churn',
  /** (net buyers - net sellers) / brokers. */
  'breadth',
  /** Net of each class of broker / T. */
  'retail_net',
  'foreign_net',
  'bandar_net',
  /** Bought by retail brokers / T. */
  'retail_buy',
  /** Gross purchases of the net buyers of a class / T, and the average price they paid; 0 without net buyers. */
  'retail_entry',
  'retail_entry_price',
  'foreign_entry',
  'foreign_entry_price',
  'bandar_entry',
  'bandar_entry_price',
  /** The largest net buyer as a {@link brokerNumber}; on a tie, the first by code. 0 without a net buyer. */
  'leader',
] as const;

export type Measure = (typeof MEASURES)[number];

/** Numbers stored for each stock-day. */
export const MEASURE_COUNT = MEASURES.length;

/** Index of each measure among the numbers of a stock-day. */
export const AT = Object.fromEntries(MEASURES.map((name, at) => [name, at])) as Readonly<
  Record<Measure, number>
>;

/**
 * Encodes a broker code of two to four letters and digits as a number that a 32-bit float holds exactly. The number does not
 * depend on any broker table: it is the code in base 36, prefixed with 1 so that leading zeros count.
 */
export function brokerNumber(code: string): number {
  return parseInt(`1${code}`, 36);
}

/** Decodes a {@link brokerNumber}. */
export function brokerCode(number: number): string {
  return number.toString(36).slice(1).toUpperCase();
}

/**
 * Summaries of one segment's gross broker rows. They use the segment's own days and tickers, so that every dataset version
 * with this segment can share them.
 */
export interface BrokerMonth {
  /** ISO, ascending. */
  dates: readonly string[];
  tickers: readonly string[];
  /**
   * The {@link MEASURES} of a stock-day are adjacent, because a window reads them all: measure m of ticker t on day d is at
   * `(d × tickers.length + t) × MEASURE_COUNT + m`. All are 0 for a stock-day without gross rows whose sides agree.
   */
  values: Float32Array;
}

export function emptyMonth(dates: readonly string[], tickers: readonly string[]): BrokerMonth {
  return {
    dates,
    tickers,
    values: sharedColumn(Float32Array, dates.length * tickers.length * MEASURE_COUNT),
  };
}

/**
 * What is kept of the gross broker rows of a stock-day in the regular market: both sides of each broker before they are
 * netted, b and s for what a broker bought and sold in IDR, net = b - s, T = sum of b. Shares of T lie between 0 and 1,
 * nets between -1 and 1; a window of days weighs each by its T.
 */
export const MEASURES = [
  /** T, IDR. */
  'turnover',
  /** Shares bought, as they were on the day. */
  'bought_shares',
  /** Bought by the one, the three and the five largest gross buyers / T; sold by the largest gross sellers / T. */
  'top1_buy',
  'top3_buy',
  'top5_buy',
  'top1_sell',
  'top3_sell',
  'top5_sell',
  /** Sum of (b / T)², and of (s / sum of s)²: Herfindahl's index, 1 for a single broker. */
  'hhi_buy',
  'hhi_sell',
  /** Net of the five largest net buyers and of the five largest net sellers together / T. */
  'top5_net',
  /** Net bought by all net buyers / T. */
  'net_bought',
  /** Sum of min(b, s) / T: what the same brokers bought and sold again. */
  'churn',
  /** (net buyers - net sellers) / brokers. */
  'breadth',
  /** Net by class of broker / T. */
  'retail_net',
  'foreign_net',
  'bandar_net',
  /** Bought by retail brokers / T. */
  'retail_buy',
  /** Bought gross by the net buyers of a class / T, and the average price they paid, 0 without any. */
  'retail_entry',
  'retail_entry_price',
  'foreign_entry',
  'foreign_entry_price',
  'bandar_entry',
  'bandar_entry_price',
  /** The largest net buyer as a {@link brokerNumber}, the first by code of several; 0 without a net buyer. */
  'leader',
] as const;

export type Measure = (typeof MEASURES)[number];

/** Numbers a stock-day takes. */
export const MEASURE_COUNT = MEASURES.length;

/** Place of a measure among the numbers of a stock-day. */
export const AT = Object.fromEntries(MEASURES.map((name, at) => [name, at])) as Readonly<
  Record<Measure, number>
>;

/**
 * A broker code of two to four letters and digits as a number that a 32-bit float holds exactly, whatever table the
 * broker stands in: the code in base 36 behind a 1, so that leading zeros count.
 */
export function brokerNumber(code: string): number {
  return parseInt(`1${code}`, 36);
}

/** The code of a {@link brokerNumber}. */
export function brokerCode(number: number): string {
  return number.toString(36).slice(1).toUpperCase();
}

/**
 * Summaries of one segment's gross broker rows, on its own days and tickers, so that they serve every dataset version
 * that has the segment.
 */
export interface BrokerMonth {
  /** ISO, ascending. */
  dates: readonly string[];
  tickers: readonly string[];
  /**
   * The {@link MEASURES} of a stock-day side by side, because a window reads them all: number m of ticker t on day d is
   * `(d × tickers.length + t) × MEASURE_COUNT + m`. All 0 for a stock-day without gross rows whose sides agree.
   */
  values: Float32Array;
}

export function emptyMonth(dates: readonly string[], tickers: readonly string[]): BrokerMonth {
  return { dates, tickers, values: new Float32Array(dates.length * tickers.length * MEASURE_COUNT) };
}

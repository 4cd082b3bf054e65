import { MEASURE_COUNT } from './measures.ts';

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

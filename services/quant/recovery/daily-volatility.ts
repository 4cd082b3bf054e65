import type { Panel } from '../panel/panel.ts';

/** A stock that hardly moves is taken to move by this at least: ratios and logarithms of volatility need it. */
const LEAST = 0.001;

/**
 * How far stocks move in a day: the root mean square of daily log returns, a fraction (the zero-mean volatility of
 * RiskMetrics, J.P. Morgan & Reuters 1996, with equal weights). Days without trades count as returns of nothing;
 * corporate actions do not count as returns.
 */
export class DailyVolatility {
  readonly #panel: Panel;
  /** Of a ticker: running sum of its squared returns, one entry a row. */
  readonly #squares = new Map<number, Float64Array>();

  constructor(panel: Panel) {
    this.#panel = panel;
  }

  /** Of the last `bars` returns up to `row`; of fewer at the start of a ticker's data. */
  of(ticker: number, row: number, bars: number): number {
    const sums = this.#sumsOf(ticker);
    const last = row - this.#panel.firstRow(ticker);
    const before = Math.max(0, last - bars);
    if (last === before) return LEAST;
    return Math.max(LEAST, Math.sqrt(Math.max(0, sums[last]! - sums[before]!) / (last - before)));
  }

  #sumsOf(ticker: number): Float64Array {
    const known = this.#squares.get(ticker);
    if (known) return known;
    const sums = this.#runningSquares(ticker);
    this.#squares.set(ticker, sums);
    return sums;
  }

  /** The first row has no return. A later row never changes the sum of an earlier one. */
  #runningSquares(ticker: number): Float64Array {
    const { close, factor, offsets } = this.#panel.columns;
    const start = offsets[ticker]!;
    const sums = new Float64Array(offsets[ticker + 1]! - start);
    for (let i = 1; i < sums.length; i++) {
      const row = start + i;
      sums[i] = sums[i - 1]! + Math.log(close[row]! / (close[row - 1]! * factor[row]!)) ** 2;
    }
    return sums;
  }
}

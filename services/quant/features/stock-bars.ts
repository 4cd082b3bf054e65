import { priceLimits, type PriceLimits } from '../exchange/exchange.ts';
import { logReturns } from '../indicators/volatility.ts';
import { rollingStdDev } from '../indicators/rolling.ts';
import { sma } from '../indicators/moving-averages.ts';
import type { Panel } from '../panel/panel.ts';
import { foreignNetValue } from '../panel/windows.ts';

/** Bars, or days, of most windows: a month. */
const MONTH = 20;

/**
 * The traded bars of one ticker, ascending, one entry a bar; what several features share is made once. Prices are IDR and
 * volumes shares in the terms of the ticker's first row, so that a bar is made of nothing later than itself. (In the
 * terms of any other day they differ by one constant factor, which no ratio of two of them sees.)
 */
export class StockBars {
  readonly panel: Panel;
  /** Panel row of each bar. */
  readonly rows: Uint32Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  readonly volume: Float64Array;
  readonly #firstRow: number;
  readonly #endRow: number;
  readonly #kept = new Map<string, Float64Array>();

  constructor(panel: Panel, ticker: number, rows: Uint32Array) {
    const { high, low, close, volume, cum_factor, cum_share_factor } = panel.columns;
    const { length } = rows;
    this.panel = panel;
    this.rows = rows;
    this.#firstRow = panel.firstRow(ticker);
    this.#endRow = panel.endRow(ticker, panel.dayCount);
    this.high = new Float64Array(length);
    this.low = new Float64Array(length);
    this.close = new Float64Array(length);
    this.volume = new Float64Array(length);
    for (let bar = 0; bar < length; bar++) {
      const row = rows[bar]!;
      const factor = cum_factor[row]!;
      this.high[bar] = high[row]! / factor;
      this.low[bar] = low[row]! / factor;
      this.close[bar] = close[row]! / factor;
      this.volume[bar] = volume[row]! * cum_share_factor[row]!;
    }
  }

  /** Log returns from bar to bar. */
  get returns(): Float64Array {
    return this.#once('returns', () => logReturns(this.close));
  }

  /** Mean and population standard deviation of 20 closes. */
  get meanClose(): Float64Array {
    return this.#once('meanClose', () => sma(this.close, MONTH));
  }

  get closeDeviation(): Float64Array {
    return this.#once('closeDeviation', () => rollingStdDev(this.close, MONTH, 0));
  }

  get meanVolume(): Float64Array {
    return this.#once('meanVolume', () => sma(this.volume, MONTH));
  }

  get monthValue(): Float64Array {
    return this.#once('monthValue', () => this.valueOver(MONTH));
  }

  /** Traded value of the last `days` exchange days, IDR. */
  valueOver(days: number): Float64Array {
    const { value } = this.panel.columns;
    return this.sumOverDays(value.subarray(this.#firstRow, this.#endRow), days);
  }

  /** IDR, by listed shares and printed prices. */
  get capitalisation(): Float64Array {
    const { listed_shares, close } = this.panel.columns;
    return this.#once('capitalisation', () => this.map((_, row) => listed_shares[row]! * close[row]!));
  }

  /** Of a panel row, as printed, if the stock was on a regular board. */
  limitsOf(row: number): PriceLimits {
    const { previous, day, dates } = this.panel.columns;
    return priceLimits(previous[row]!, dates[day[row]!]!, 'regular');
  }

  /** `valueOf(bar, row)` of every bar and its panel row. */
  map(valueOf: (bar: number, row: number) => number): Float64Array {
    const out = new Float64Array(this.rows.length);
    for (let bar = 0; bar < out.length; bar++) out[bar] = valueOf(bar, this.rows[bar]!);
    return out;
  }

  /** Net foreign buying of every row of the ticker, IDR. */
  get foreignNet(): Float64Array {
    return this.#once('foreignNet', () => this.ofRows((row) => foreignNetValue(this.panel, row)));
  }

  /** `amountOf(row)` of every panel row of the ticker, days without a trade included. */
  ofRows(amountOf: (row: number) => number): Float64Array {
    const out = new Float64Array(this.#endRow - this.#firstRow);
    for (let i = 0; i < out.length; i++) out[i] = amountOf(this.#firstRow + i);
    return out;
  }

  /** Of every bar: sum over the last `days` exchange days of `amounts`, which have one entry a row of the ticker. */
  sumOverDays(amounts: Float64Array, days: number): Float64Array {
    const { day } = this.panel.columns;
    const start = this.#firstRow;
    const out = new Float64Array(this.rows.length);
    let first = start;
    for (let bar = 0; bar < out.length; bar++) {
      const row = this.rows[bar]!;
      while (day[first]! <= day[row]! - days) first++;
      let sum = 0;
      for (let i = first - start; i <= row - start; i++) sum += amounts[i]!;
      out[bar] = sum;
    }
    return out;
  }

  #once(name: string, make: () => Float64Array): Float64Array {
    const kept = this.#kept.get(name) ?? make();
    this.#kept.set(name, kept);
    return kept;
  }
}

/** `numerator` / `denominator`, value by value. */
export function ratio(numerator: Float64Array, denominator: Float64Array): Float64Array {
  const out = new Float64Array(numerator.length);
  for (let i = 0; i < out.length; i++) out[i] = numerator[i]! / denominator[i]!;
  return out;
}

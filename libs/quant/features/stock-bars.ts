import { priceLimits, type PriceLimits } from '../exchange/exchange.ts';
import { logReturns } from '../indicators/volatility.ts';
import { rollingStdDev } from '../indicators/rolling.ts';
import { sma } from '../indicators/moving-averages.ts';
import type { Panel } from '../panel/panel.ts';
import { cumFactorAt, cumShareFactorAt } from '../panel/adjustment-factors.ts';
import { unknownBars, withoutMixed } from '../panel/unknown-shares.ts';
import type { RowRange } from '../panel/ranges.ts';
import { foreignNetValue, referencePrice } from '../panel/windows.ts';
import { narrowLimitRows, UNKNOWN_LIMITS } from '../universe/candidates.ts';

/** Length of most windows in bars or days: a month. */
const MONTH = 20;

/**
 * The traded bars of one ticker, ascending, one entry for each bar. Series that several features share are computed once.
 * Prices (IDR) and volumes (shares) are adjusted to the ticker's first row, so that a bar depends on nothing later than
 * itself. Adjusted to any other day they would differ by one constant factor, which cancels in every ratio.
 */
export class StockBars {
  readonly panel: Panel;
  /** Panel row of each bar. */
  readonly rows: Uint32Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  readonly volume: Float64Array;
  /** Bars on which it was not known how many shares there are. */
  readonly unknown: readonly RowRange[];
  readonly #firstRow: number;
  readonly #endRow: number;
  readonly #kept = new Map<string, Float64Array>();
  #narrowLimits: Uint8Array | undefined;

  constructor(panel: Panel, ticker: number, rows: Uint32Array) {
    const { high, low, close, volume, terms } = panel.columns;
    const { length } = rows;
    this.panel = panel;
    this.rows = rows;
    this.unknown = unknownBars(panel, ticker, rows);
    this.#firstRow = panel.firstRow(ticker);
    this.#endRow = panel.endRow(ticker, panel.dayCount);
    this.high = new Float64Array(length);
    this.low = new Float64Array(length);
    this.close = new Float64Array(length);
    this.volume = new Float64Array(length);
    for (let bar = 0; bar < length; bar++) {
      const row = rows[bar]!;
      const factor = cumFactorAt(terms, row);
      this.high[bar] = high[row]! / factor;
      this.low[bar] = low[row]! / factor;
      this.close[bar] = close[row]! / factor;
      this.volume[bar] = volume[row]! * cumShareFactorAt(terms, row);
    }
  }

  /** Log returns between consecutive bars. */
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

  /** Values of windows of volume, NaN where the numbers of shares cannot be compared. */
  ofVolume(values: Float64Array, period: number): Float64Array {
    return withoutMixed(values, this.unknown, period);
  }

  /** Market capitalisation in IDR: listed shares × unadjusted price; NaN where it is not known how many shares there are. */
  get capitalisation(): Float64Array {
    const { listed_shares, close } = this.panel.columns;
    return this.#once('capitalisation', () =>
      this.ofVolume(
        this.map((_, row) => (listed_shares[row]! > 0 ? listed_shares[row]! * close[row]! : NaN)),
        Infinity,
      ),
    );
  }

  /** Price limits of a bar, unadjusted: those of the board that its own last days show, as boards of the past are not known. NaN if none. */
  limitsOf(bar: number): PriceLimits {
    const { day, dates } = this.panel.columns;
    const row = this.rows[bar]!;
    // A stock with a row on the first day of the data was probably listed before.
    const isFirstDay = row === this.#firstRow && day[row]! > 0;
    this.#narrowLimits ??= narrowLimitRows(this.panel, this.rows);
    const narrow = this.#narrowLimits[bar];
    const reference = narrow === UNKNOWN_LIMITS ? NaN : referencePrice(this.panel, row);
    return priceLimits(reference, dates[day[row]!]!, narrow === 1 ? 'special' : 'regular', isFirstDay);
  }

  /** `valueOf(bar, row)` for every bar and its panel row. */
  map(valueOf: (bar: number, row: number) => number): Float64Array {
    const out = new Float64Array(this.rows.length);
    for (let bar = 0; bar < out.length; bar++) out[bar] = valueOf(bar, this.rows[bar]!);
    return out;
  }

  /** Net foreign buying for every row of the ticker, IDR. */
  get foreignNet(): Float64Array {
    return this.#once('foreignNet', () => this.ofRows((row) => foreignNetValue(this.panel, row)));
  }

  /** `amountOf(row)` for every panel row of the ticker, days without a trade included. */
  ofRows(amountOf: (row: number) => number): Float64Array {
    const out = new Float64Array(this.#endRow - this.#firstRow);
    for (let i = 0; i < out.length; i++) out[i] = amountOf(this.#firstRow + i);
    return out;
  }

  /** For every bar: sum over the last `days` exchange days of `amounts`, which has one entry for each row of the ticker. */
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

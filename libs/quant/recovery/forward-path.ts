import { REGULAR_FLOOR_IDR } from '../exchange/exchange.ts';
import type { Panel } from '../panel/panel.ts';
import { factorAt } from '../panel/adjustment-factors.ts';
import { tradedSeries } from '../panel/traded-series.ts';

/** Extremes of a price within a horizon, as fractions of the starting close; 0 without trades. */
export interface PathExtremes {
  /** The highest high and the lowest low of the days after the first. */
  highest: number;
  lowest: number;
}

/**
 * What followed a row of the panel, up to `horizonDays` exchange days later. Prices are adjusted by factors that run forward,
 * so that a result depends on no row after its horizon. A stock that stopped trading stays at its last price.
 */
export class ForwardPaths {
  readonly #panel: Panel;
  readonly #horizonDays: number;

  constructor(panel: Panel, horizonDays: number) {
    this.#panel = panel;
    this.#horizonDays = horizonDays;
  }

  /** Return from the close of `row` to the last close of the horizon, as a fraction. */
  returnOf(ticker: number, row: number): number {
    const last = this.#endRow(ticker, row) - 1;
    return this.#gain(row, this.#panel.columns.close[last]!, last);
  }

  extremesOf(ticker: number, row: number): PathExtremes {
    const { high, low, volume } = this.#panel.columns;
    let [highest, lowest] = [-Infinity, Infinity];
    const end = this.#endRow(ticker, row);
    for (let later = row + 1; later < end; later++) {
      if (volume[later] === 0) continue;
      highest = Math.max(highest, this.#gain(row, high[later]!, later));
      lowest = Math.min(lowest, this.#gain(row, low[later]!, later));
    }
    return highest === -Infinity ? { highest: 0, lowest: 0 } : { highest, lowest };
  }

  /** The first exchange day, from 1 to the horizon, whose high is `gain` (a fraction) or more above the close; 0 for none. */
  firstDayAbove(ticker: number, row: number, gain: number): number {
    const { high, volume, day } = this.#panel.columns;
    const end = this.#endRow(ticker, row);
    for (let later = row + 1; later < end; later++) {
      if (volume[later]! > 0 && this.#gain(row, high[later]!, later) >= gain) return day[later]! - day[row]!;
    }
    return 0;
  }

  /** One past the ticker's last row within the horizon. A ticker has at most one row per day, which bounds the search. */
  #endRow(ticker: number, row: number): number {
    const { day, offsets } = this.#panel.columns;
    const lastDay = day[row]! + this.#horizonDays;
    let end = Math.min(row + this.#horizonDays + 1, offsets[ticker + 1]!);
    while (day[end - 1]! > lastDay) end--;
    return end;
  }

  #gain(row: number, laterPrice: number, laterRow: number): number {
    const { close } = this.#panel.columns;
    return laterPrice / (close[row]! * this.#panel.priceScale(row, laterRow)) - 1;
  }
}

/** Closes up to this price count as near the floor of the regular board, IDR. */
const NEAR_FLOOR_IDR = 55;
/** A close below this fraction of the floor is beyond it and not a matter of rounding: 48.5 IDR. */
const BEYOND_FLOOR = 0.97;
/** Trading days looked back on, about a year. */
const LOOK_BACK_DAYS = 250;
/** With fewer stock-days the share would be noise. */
const MIN_STOCK_DAYS = 200;

/**
 * Share of the stock-days near the floor of the regular board after which the stock closed below it `horizonDays` later: special
 * boards trade below that floor. Of stock-days whose horizon was over by `day`, in the year before; no later row is read. 0 when
 * there are too few of them.
 */
export function shareBelowFloor(panel: Panel, day: number, horizonDays: number): number {
  const { day: dayOf, close, volume, offsets } = panel.columns;
  const [from, to] = [day - horizonDays - LOOK_BACK_DAYS, day - horizonDays];
  let [near, below] = [0, 0];
  for (let ticker = 0; ticker < panel.tickerCount; ticker++) {
    for (let row = panel.endRow(ticker, from); row < offsets[ticker + 1]! && dayOf[row]! <= to; row++) {
      const isNear = close[row]! >= REGULAR_FLOOR_IDR && close[row]! <= NEAR_FLOOR_IDR;
      if (volume[row] === 0 || !isNear) continue;
      near++;
      const later = panel.lastRow(ticker, dayOf[row]! + horizonDays);
      if (close[later]! * panel.priceScale(later, row) < BEYOND_FLOOR * REGULAR_FLOOR_IDR) below++;
    }
  }
  return near < MIN_STOCK_DAYS ? 0 : below / near;
}

/** Minimum volatility, for stocks that hardly move: ratios and logarithms of volatility need it above 0. */
const MIN_VOLATILITY = 0.001;

/**
 * Daily volatility of stocks: the root mean square of daily log returns, as a fraction (the zero-mean volatility of
 * RiskMetrics, J.P. Morgan & Reuters 1996, with equal weights). Days without trades count as returns of 0. Corporate actions
 * do not count as returns.
 */
export class DailyVolatility {
  readonly #panel: Panel;
  /** For each ticker: the running sum of its squared returns, one entry for each row. */
  readonly #squares: (Float64Array | undefined)[] = [];

  constructor(panel: Panel) {
    this.#panel = panel;
  }

  /** Volatility over the last `bars` returns up to `row`; over fewer at the start of a ticker's data. */
  of(ticker: number, row: number, bars: number): number {
    const sums = this.#sumsOf(ticker);
    const last = row - this.#panel.firstRow(ticker);
    const before = Math.max(0, last - bars);
    if (last === before) return MIN_VOLATILITY;
    return Math.max(MIN_VOLATILITY, Math.sqrt(Math.max(0, sums[last]! - sums[before]!) / (last - before)));
  }

  #sumsOf(ticker: number): Float64Array {
    return (this.#squares[ticker] ??= this.#runningSquares(ticker));
  }

  /** The first row has no return. Later rows never change the sum of an earlier row. */
  #runningSquares(ticker: number): Float64Array {
    const { close, terms, offsets } = this.#panel.columns;
    const start = offsets[ticker]!;
    const sums = new Float64Array(offsets[ticker + 1]! - start);
    for (let i = 1; i < sums.length; i++) {
      const row = start + i;
      sums[i] = sums[i - 1]! + Math.log(close[row]! / (close[row - 1]! * factorAt(terms, row))) ** 2;
    }
    return sums;
  }
}

/** Lowest low of a ticker's last `bars` traded bars up to `day` (both indices), IDR adjusted to that day. */
export function swingLow(panel: Panel, ticker: number, day: number, bars: number): number {
  return tradedSeries(panel, ticker, day, bars).low.reduce((lowest, low) => Math.min(lowest, low), Infinity);
}

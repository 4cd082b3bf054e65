import { requirePeriod } from '../indicators/rolling.ts';
import { atr } from '../indicators/volatility.ts';
import type { Panel } from '../panel/panel.ts';
import { cumFactorAt, cumShareFactorAt } from '../panel/adjustment-factors.ts';
import type { RowRange } from '../panel/ranges.ts';
import { unknownBars } from '../panel/unknown-shares.ts';
import { tradedRows } from '../universe/liquidity.ts';

/**
 * Traded bars of one ticker, ascending, adjusted to its first row. They are comparable with each other, and each depends on
 * nothing later than its own row. Every array except `barOf` has one entry for each bar.
 */
interface CycleBars {
  /** For each row of the ticker, traded or not: the last bar up to it (0 before the first bar). */
  barOf: Uint16Array;
  /** Calendar index of each bar. */
  day: Uint16Array;
  high: Float64Array;
  low: Float64Array;
  close: Float64Array;
  /** Shares, adjusted for splits. */
  volume: Float64Array;
}

/** Bars with volume of `ticker` (index), up to and including `lastDay` (calendar index). */
function cycleBars(panel: Panel, ticker: number, lastDay: number): CycleBars {
  const { columns } = panel;
  const [from, to] = [panel.firstRow(ticker), panel.endRow(ticker, lastDay)];
  const bars = emptyBars(to - from);
  let count = 0;
  for (let row = from; row < to; row++) {
    if (columns.volume[row]! > 0) {
      const factor = cumFactorAt(columns.terms, row);
      bars.day[count] = columns.day[row]!;
      bars.high[count] = columns.high[row]! / factor;
      bars.low[count] = columns.low[row]! / factor;
      bars.close[count] = columns.close[row]! / factor;
      bars.volume[count] = columns.volume[row]! * cumShareFactorAt(columns.terms, row);
      count++;
    }
    bars.barOf[row - from] = Math.max(0, count - 1);
  }
  return firstBars(bars, count);
}

function emptyBars(rows: number): CycleBars {
  return {
    barOf: new Uint16Array(rows),
    day: new Uint16Array(rows),
    high: new Float64Array(rows),
    low: new Float64Array(rows),
    close: new Float64Array(rows),
    volume: new Float64Array(rows),
  };
}

function firstBars({ barOf, day, high, low, close, volume }: CycleBars, count: number): CycleBars {
  return {
    barOf,
    day: day.subarray(0, count),
    high: high.subarray(0, count),
    low: low.subarray(0, count),
    close: close.subarray(0, count),
    volume: volume.subarray(0, count),
  };
}

export interface SwingBars {
  high: Float64Array;
  low: Float64Array;
  close: Float64Array;
}

/** Major highs and lows of a price, in the order in which they became known. */
export interface SwingPivots {
  /** Bar of each pivot. The pivot becomes known `window` bars later. */
  bar: Int32Array;
  /** 1 for a swing high, 0 for a swing low. */
  isHigh: Uint8Array;
  /** The high or low of the pivot's bar. */
  price: Float64Array;
  /** Average true range (14) at the pivot's bar. */
  atr: Float64Array;
  /** The preceding pivot, of the other kind; -1 for none. Following the chain gives the swings as known at the time. */
  before: Int32Array;
  /** For each bar: the newest pivot known by then, -1 for none. */
  newest: Int32Array;
}

/** A swing counts when its length is at least this many average true ranges. */
export const MAJOR_SWING_ATR = 1.5;
const PIVOT_ATR_BARS = 14;

/**
 * Swing highs and lows: a bar whose high is above the highs of the `window` bars before it and not below those of the
 * `window` bars after it, mirrored for lows (the fractal of Williams, Trading Chaos, 1995, of any width). Highs and lows
 * alternate as in a zigzag: a pivot of the other kind must be at least 1.5 ATR from the last pivot; one of the same kind
 * replaces the last pivot when it is more extreme. A bar that is both highest and lowest is not a pivot: which came first is
 * not known. No study shows that turning points found this way predict anything.
 *
 * A pivot is used from the bar on which its window ends, never earlier. A replacement also takes effect only from then on:
 * later bars never change what was known before.
 */
export function swingPivots(bars: SwingBars, window: number): SwingPivots {
  requirePeriod(window);
  const { high, low, close } = bars;
  const zigzag = new Zigzag(close.length, window);
  const ranges = atr(high, low, close, PIVOT_ATR_BARS);
  for (let known = 0; known < close.length; known++) {
    const bar = known - window;
    if (bar >= window && !Number.isNaN(ranges[bar]!)) {
      const isHigh = isTop(high, bar, window);
      if (isHigh !== isBottom(low, bar, window)) {
        zigzag.offer(bar, isHigh ? 1 : 0, isHigh ? high[bar]! : low[bar]!, ranges[bar]!);
      }
    }
    zigzag.know(known);
  }
  return zigzag.pivots;
}

function isTop(high: Float64Array, bar: number, window: number): boolean {
  const top = high[bar]!;
  for (let i = 1; i <= window; i++) if (high[bar - i]! >= top || high[bar + i]! > top) return false;
  return true;
}

function isBottom(low: Float64Array, bar: number, window: number): boolean {
  const bottom = low[bar]!;
  for (let i = 1; i <= window; i++) if (low[bar - i]! <= bottom || low[bar + i]! < bottom) return false;
  return true;
}

class Zigzag {
  readonly pivots: SwingPivots;
  #count = 0;

  constructor(bars: number, window: number) {
    const most = 2 * Math.ceil(bars / (window + 1));
    this.pivots = {
      bar: new Int32Array(most),
      isHigh: new Uint8Array(most),
      price: new Float64Array(most),
      atr: new Float64Array(most),
      before: new Int32Array(most),
      newest: new Int32Array(bars),
    };
  }

  offer(bar: number, isHigh: 0 | 1, price: number, range: number): void {
    const { pivots } = this;
    const last = this.#count - 1;
    if (last < 0) return this.#add(bar, isHigh, price, range, -1);
    const rise = isHigh === 1 ? price - pivots.price[last]! : pivots.price[last]! - price;
    if (pivots.isHigh[last] !== isHigh) {
      if (rise >= MAJOR_SWING_ATR * range) this.#add(bar, isHigh, price, range, last);
    } else if (rise > 0) this.#add(bar, isHigh, price, range, pivots.before[last]!);
  }

  know(bar: number): void {
    this.pivots.newest[bar] = this.#count - 1;
  }

  #add(bar: number, isHigh: 0 | 1, price: number, range: number, before: number): void {
    const at = this.#count++;
    this.pivots.bar[at] = bar;
    this.pivots.isHigh[at] = isHigh;
    this.pivots.price[at] = price;
    this.pivots.atr[at] = range;
    this.pivots.before[at] = before;
  }
}

/** Input of one stock's cycle readings, bar by bar. */
export interface StockCycles {
  bars: CycleBars;
  pivots: SwingPivots;
  /** Bars on which it was not known how many shares there are. */
  unknown: readonly RowRange[];
}

/** Bars and pivots of every stock up to `lastDay` (calendar index). Each stock is computed in O(bars) when it is first read. */
export class MarketSwings {
  readonly panel: Panel;
  readonly lastDay: number;
  /** Bars on either side of a pivot. */
  readonly pivotWindow: number;
  readonly #stocks: (StockCycles | undefined)[];

  constructor(panel: Panel, lastDay: number, pivotWindow: number) {
    this.panel = panel;
    this.lastDay = lastDay;
    this.pivotWindow = pivotWindow;
    this.#stocks = Array.from({ length: panel.tickerCount }, () => undefined);
  }

  /** Bars and pivots of a ticker (index). */
  of(ticker: number): StockCycles {
    return (this.#stocks[ticker] ??= this.#make(ticker));
  }

  #make(ticker: number): StockCycles {
    const bars = cycleBars(this.panel, ticker, this.lastDay);
    const unknown = unknownBars(this.panel, ticker, tradedRows(this.panel, ticker));
    return { bars, pivots: swingPivots(bars, this.pivotWindow), unknown };
  }
}

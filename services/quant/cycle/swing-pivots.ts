import { atr } from '../indicators/atr.ts';
import { requirePeriod } from '../indicators/period.ts';

export interface SwingBars {
  high: Float64Array;
  low: Float64Array;
  close: Float64Array;
}

/** Major highs and lows of a price, in the order in which they became known. */
export interface SwingPivots {
  /** Bar at which each pivot stands. It is known `window` bars later. */
  bar: Int32Array;
  /** 1 for a swing high, 0 for a swing low. */
  isHigh: Uint8Array;
  /** The high or low of its bar. */
  price: Float64Array;
  /** Average true range (14) of its bar. */
  atr: Float64Array;
  /** The pivot before it, of the other kind; -1 for none. Following it gives the swings as they were seen then. */
  before: Int32Array;
  /** For each bar: the newest pivot known by then, -1 for none. */
  newest: Int32Array;
}

/** A swing counts when it is at least so many average true ranges long. */
export const MAJOR_SWING_ATR = 1.5;
export const PIVOT_ATR_BARS = 14;

/**
 * Swing highs and lows: a bar whose high is above the highs of the `window` bars before it and not below those of the
 * `window` bars after it, mirrored for lows (the fractal of Williams, Trading Chaos, 1995, of any width). Highs and lows
 * alternate as in a zigzag: one of the other kind must lie 1.5 ATR from the last pivot, one of the same kind takes its
 * place when it is more extreme. A bar that is both highest and lowest is none: which came first is not known. No study shows that turning points found so foretell anything.
 *
 * A pivot is used from the bar on which its window ends, never earlier, and one that takes another's place does so
 * from then on only: later bars change nothing that was seen before.
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

import { oneByOne } from './gann-fan.ts';
import type { CycleReading } from './cycle-reading.ts';
import type { StockCycles } from './market-swings.ts';
import type { SwingPivots } from './swing-pivots.ts';

/** The newest swing low (`wanted` 0) or high (1) known at `bar`, -1 for none: pivots alternate. */
export function lastPivot({ newest, isHigh, before }: SwingPivots, bar: number, wanted: 0 | 1): number {
  const last = newest[bar]!;
  return last < 0 || isHigh[last] === wanted ? last : before[last]!;
}

/** Where the close of `bar` stands between the last swings, and against the 1x1 line. */
export function readSwing({ bars, pivots }: StockCycles, bar: number, out: CycleReading): void {
  const low = lastPivot(pivots, bar, 0);
  const high = lastPivot(pivots, bar, 1);
  const last = pivots.newest[bar]!;
  const close = bars.close[bar]!;
  const lowPrice = low < 0 ? NaN : pivots.price[low]!;
  const highPrice = high < 0 ? NaN : pivots.price[high]!;
  out.swing = last < 0 ? 0 : last === low ? 1 : -1;
  out.daysSinceLow = low < 0 ? NaN : bars.day[bar]! - bars.day[pivots.bar[low]!]!;
  out.daysSinceHigh = high < 0 ? NaN : bars.day[bar]! - bars.day[pivots.bar[high]!]!;
  out.swingPosition = (close - lowPrice) / (highPrice - lowPrice);
  out.aboveOneByOne = NaN;
  if (low >= 0) {
    const range = pivots.atr[low]!;
    out.aboveOneByOne = (close - oneByOne(lowPrice, range, bar - pivots.bar[low]!)) / range;
  }
}

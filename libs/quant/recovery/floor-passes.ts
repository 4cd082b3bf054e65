import { REGULAR_FLOOR_IDR } from '../exchange/exchange.ts';
import type { Panel } from '../panel/panel.ts';

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
    for (let row = offsets[ticker]!; row < offsets[ticker + 1]! && dayOf[row]! <= to; row++) {
      const isNear = close[row]! >= REGULAR_FLOOR_IDR && close[row]! <= NEAR_FLOOR_IDR;
      if (dayOf[row]! <= from || volume[row] === 0 || !isNear) continue;
      near++;
      const later = panel.lastRow(ticker, dayOf[row]! + horizonDays);
      if (close[later]! * panel.priceScale(later, row) < BEYOND_FLOOR * REGULAR_FLOOR_IDR) below++;
    }
  }
  return near < MIN_STOCK_DAYS ? 0 : below / near;
}

import { ceilToTick, floorPrice, floorToTick } from '../exchange/exchange.ts';
import { ENTRY_SPREAD_PCT } from './entry.ts';

/**
 * Entry, stop and target of a pick. This is the one place where stop and target are rounded to the tick: labels, results, the record
 * and simulations all use it.
 */

/** In floats, a target of 100 × 1.1 is 110.00000000000001, and a high of 110 must reach it. */
export const TOLERANCE = 1e-9;

/** The price of an order that stops a loss at a level: the highest tradable price not above it, so that a seller gets no more. */
export function stopToTick(level: number, isoDate?: string): number {
  return floorToTick(level * (1 + TOLERANCE), isoDate);
}

/** The price of an order to sell at a target: the lowest tradable price not below it. A price that reaches the target reaches it too. */
export function targetToTick(level: number, isoDate?: string): number {
  return ceilToTick(level * (1 - TOLERANCE), isoDate);
}

/** Target and stop of a run, as fractions of the close. */
export interface StopAndTarget {
  target_gain: number;
  stop_loss: number;
}

/** Price levels of a name, IDR. Exact products of the close, not rounded to ticks. */
export interface PriceLevels {
  entry_low: number;
  entry_high: number;
  stop: number;
  target: number;
}

/** The levels of a result, in percent. */
export function levelsInPercent({ target_gain, stop_loss }: StopAndTarget) {
  return {
    target_gain_pct: percent(target_gain),
    stop_loss_pct: percent(stop_loss),
    entry_spread_pct: ENTRY_SPREAD_PCT,
  };
}

export function priceLevels(close: number, { target_gain, stop_loss }: StopAndTarget): PriceLevels {
  return {
    entry_low: product(close, 1 - ENTRY_SPREAD_PCT / 100),
    entry_high: product(close, 1 + ENTRY_SPREAD_PCT / 100),
    stop: product(close, 1 - stop_loss),
    target: product(close, 1 + target_gain),
  };
}

/**
 * The levels as prices that the exchange accepts on `isoDate`. Entry prices are rounded into the entry range; stop and target are rounded
 * away from the close. The stop is null if it is below the floor of the stock's board, where that board accepts no order.
 */
export function tickPrices(
  { entry_low, entry_high, stop, target }: PriceLevels,
  close: number,
  isoDate: string,
) {
  const floor = floorPrice(close);
  const lastBelow = stopToTick(stop, isoDate);
  return {
    entry_low: Math.max(floor, ceilToTick(entry_low, isoDate)),
    entry_high: floorToTick(entry_high, isoDate),
    stop: lastBelow < floor ? null : lastBelow,
    target: targetToTick(target, isoDate),
  };
}

/** Returns 7 for 0.07, where 100 × 0.07 gives 7.000000000000001. */
function percent(fraction: number): number {
  return product(fraction, 100);
}

const SIGNIFICANT_DIGITS = 12;

/** A product without the error of binary fractions: 2,882 for 2,620 × 1.1, which is 2882.0000000000005 in floats. */
function product(a: number, b: number): number {
  return Number((a * b).toPrecision(SIGNIFICANT_DIGITS));
}

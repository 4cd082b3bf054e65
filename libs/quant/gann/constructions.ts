import { priceMove } from '../price-move.ts';
import type { SwingBars } from './swings.ts';

/**
 * Time cycles: a turn is said to be due when a fixed number of days has passed since an earlier turn. The lengths are parts
 * of a circle of 360 degrees and squares (Gann, Truth of the Stock Tape, 1923, and How to Make Profits Trading in
 * Commodities, 1941). There is no academic support for it.
 *
 * Lengths are whole days, at least 1. Duplicates count once and the order does not matter. Look-ups are O(1).
 */
export class TimeCycles {
  /** Ascending, without duplicates. */
  readonly lengths: readonly number[];
  /** For each number of days passed: the nearest length within the tolerance, 0 for none. */
  readonly #due: Uint16Array;
  readonly #closeness: Float64Array;
  readonly #toNext: Float64Array;

  constructor(lengths: readonly number[], tolerance: number) {
    this.lengths = [...new Set(lengths)].sort((a, b) => a - b);
    const count = (this.lengths.at(-1) ?? 0) + tolerance + 1;
    const perDay = (of: (passed: number) => number) =>
      Array.from({ length: count }, (_, passed) => of(passed));
    this.#due = Uint16Array.from(perDay((passed) => dueAfter(this.lengths, tolerance, passed)));
    this.#closeness = Float64Array.from(this.#due, (length, passed) =>
      length === 0 ? 0 : 1 - Math.abs(length - passed) / (tolerance + 1),
    );
    this.#toNext = Float64Array.from(
      perDay((passed) => (this.lengths.find((length) => length > passed) ?? Infinity) - passed),
    );
  }

  /** The length that is due `passed` days after a turn; 0 for none. If two are equally near, the shorter one. */
  dueAfter(passed: number): number {
    return this.#due[passed] ?? 0;
  }

  /** 1 on the exact day, falling in equal steps to 0 one day outside the tolerance. */
  closeness(passed: number): number {
    return this.#closeness[passed] ?? 0;
  }

  /** Days until the next cycle of a turn `passed` days ago, at least 1; Infinity when no cycle is left. */
  daysToNext(passed: number): number {
    return this.#toNext[passed] ?? Infinity;
  }
}

function dueAfter(lengths: readonly number[], tolerance: number, passed: number): number {
  const distance = (length: number) => Math.abs(length - passed);
  const nearest = Math.min(...lengths.map(distance));
  return nearest <= tolerance ? lengths.find((length) => distance(length) === nearest)! : 0;
}

const STEP_DEGREES = 45;
const FULL_TURN_DEGREES = 360;

/** Price levels of the Square of Nine; NaN for none. */
interface SpiralLevels {
  /** The highest level at or below the close. */
  support: number;
  /** The lowest level above the close. */
  resistance: number;
}

/**
 * Writes to `out` the levels of Gann's Square of Nine nearest to `close`. Levels are taken every 45 degrees, from 45 to 360,
 * up from the last swing low and down from the last swing high. On this spiral of numbers a turn of 360 degrees adds 2 to the
 * square root: level = (sqrt(P) + degrees / 180)^2, downwards with negative degrees. Prices are above 0 and in the same unit;
 * an unknown pivot is NaN.
 *
 * Source: a construction well known among chartists (Mikula, The Definitive Guide to Forecasting Using W. D. Gann's Square of
 * Nine, 2003). There is no academic support for it.
 */
export function nearestLevels(close: number, swingLow: number, swingHigh: number, out: SpiralLevels): void {
  out.support = NaN;
  out.resistance = NaN;
  if (swingLow > 0) addLevels(close, swingLow, 1, out);
  if (swingHigh > 0) addLevels(close, swingHigh, -1, out);
}

/** Levels move away from the pivot, so none after the first one beyond the close can be nearer. */
function addLevels(close: number, pivot: number, direction: 1 | -1, out: SpiralLevels): void {
  const scale = spiralScale(pivot);
  const root = Math.sqrt(pivot / scale);
  for (let degrees = STEP_DEGREES; degrees <= FULL_TURN_DEGREES; degrees += STEP_DEGREES) {
    const turned = root + (direction * degrees) / 180;
    const level = scale * turned * turned;
    if (level > close) {
      if (!(out.resistance <= level)) out.resistance = level;
      if (direction === 1) return;
    } else {
      if (!(out.support >= level)) out.support = level;
      if (direction === -1) return;
    }
  }
}

/**
 * The power of ten that scales a price to two digits before the point. With more digits the spiral's levels are closer
 * together than any useful tolerance (0.5 % at 10,000) and a full turn ends only a few percent away. With two digits they are
 * 5 to 16 % apart.
 */
function spiralScale(price: number): number {
  let scale = 1;
  while (price / scale >= 100) scale *= 10;
  while (price / scale < 10) scale /= 10;
  return scale;
}

/**
 * The 1x1 line of a Gann fan, in the unit of the price: it rises from a swing low by one average true range (of the low's
 * bar) per bar. Gann drew it at 45 degrees, which depends on the scale of a chart; one range per bar does not. A close above
 * it is said to mean strength; there is no academic support for that.
 */
export function oneByOne(swingLow: number, rangePerBar: number, bars: number): number {
  return swingLow + rangePerBar * bars;
}

/** Signs of an upward turn in the last bar, as chartists commonly use them. None is known to predict returns. */

const LOW_WITHIN_BARS = 3;
export const VOLUME_BARS = 20;

/**
 * Whether `bar` turns up from a low: the lowest low of the last `window` bars is in the last three, the close is above the
 * previous close and in the upper half of the bar's range. Opens are not used: on most days the exchange publishes none.
 */
export function turnsUp({ high, low, close }: SwingBars, bar: number, window: number): boolean {
  if (bar < window || !closesHigher(close, bar)) return false;
  if (2 * close[bar]! < high[bar]! + low[bar]!) return false;
  return lowest(low, bar, LOW_WITHIN_BARS) <= lowest(low, bar, window);
}

/**
 * How far the volume of a rising `bar` exceeds the mean of its last 20 bars: 0 at the mean or below, 1 from twice the mean
 * on. 0 when the bar does not close higher than the bar before.
 */
export function volumeOfRise(close: Float64Array, volume: Float64Array, bar: number): number {
  if (bar < VOLUME_BARS - 1 || !closesHigher(close, bar)) return 0;
  let sum = 0;
  for (let i = bar - VOLUME_BARS + 1; i <= bar; i++) sum += volume[i]!;
  return Math.min(1, Math.max(0, (volume[bar]! * VOLUME_BARS) / sum - 1));
}

function closesHigher(close: Float64Array, bar: number): boolean {
  return priceMove(close[bar - 1]!, close[bar]!) > 0;
}

function lowest(low: Float64Array, bar: number, bars: number): number {
  let least = Infinity;
  for (let i = bar - bars + 1; i <= bar; i++) if (low[i]! < least) least = low[i]!;
  return least;
}

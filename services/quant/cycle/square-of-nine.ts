const STEP_DEGREES = 45;
const FULL_TURN_DEGREES = 360;

/** Levels around a price; NaN where there is none. */
export interface SpiralLevels {
  /** The highest level at or below the close. */
  support: number;
  /** The lowest level above the close. */
  resistance: number;
}

/**
 * Writes to `out` the levels nearest to `close` among those 45 to 360 degrees, in steps of 45, up from the last swing
 * low and down from the last swing high on Gann's Square of Nine: a spiral of numbers on which a turn of 360 degrees
 * adds 2 to the square root, level = (sqrt(P) + degrees / 180)^2, downwards with negative degrees. Prices are above 0
 * and of one unit; a pivot that is not known is NaN.
 *
 * Source: a construction well known among chartists (Mikula, The Definitive Guide to Forecasting Using W. D. Gann's
 * Square of Nine, 2003). There is no academic support for it.
 */
export function nearestLevels(close: number, swingLow: number, swingHigh: number, out: SpiralLevels): void {
  out.support = NaN;
  out.resistance = NaN;
  if (swingLow > 0) addLevels(close, swingLow, 1, out);
  if (swingHigh > 0) addLevels(close, swingHigh, -1, out);
}

/** Levels lead away from the pivot, so the first one beyond the close is the last that matters. */
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
 * The power of ten that brings a price to two digits before the point. With more digits the spiral's levels stand
 * closer together than any useful tolerance (0.5 % at 10,000) and a full turn ends a few percent away; with two they
 * stand 5 to 16 % apart.
 */
function spiralScale(price: number): number {
  let scale = 1;
  while (price / scale >= 100) scale *= 10;
  while (price / scale < 10) scale /= 10;
  return scale;
}

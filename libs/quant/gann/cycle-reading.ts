/** A time cycle that is due, counted from one of the last three pivots. */
export interface CycleHit {
  /** Length of the cycle. */
  days: number;
  unit: 'calendar' | 'exchange';
  from: 'high' | 'low';
  /** Days in `unit` until the cycle is due; below 0 when it was due before. */
  daysLeft: number;
}

/** Gann readings of one stock on one day. Prices are IDR as of that day. */
export interface CycleReading {
  /** 0 to 100; the sum of the points below, rescaled when there are no cycles. */
  score: number;
  timePoints: number;
  pricePoints: number;
  confirmationPoints: number;
  /** The due cycle that is nearest to its exact day; null when none is due. */
  hit: CycleHit | null;
  /** Levels of the Square of Nine; NaN for none. */
  support: number;
  resistance: number;
  /** Exchange days since the last swing low (high) known on that day; NaN for none. */
  daysSinceLow: number;
  daysSinceHigh: number;
  /** 1 when the last pivot is a low, -1 when it is a high, 0 before the first. */
  swing: -1 | 0 | 1;
  /** Position of the close between the last swing low (0) and high (1), or beyond them; NaN when either is missing. */
  swingPosition: number;
  /** How far the close is above the last swing low's 1x1 line, in average true ranges of the low's bar; NaN without a low. */
  aboveOneByOne: number;
  /** Calendar days until the next cycle from any of the pivots is due, at least 1; Infinity for none. */
  daysToNextTurn: number;
}

/** A reading that callers overwrite and reuse, so that reads allocate little. */
export function emptyReading(): CycleReading {
  return {
    score: 0,
    timePoints: 0,
    pricePoints: 0,
    confirmationPoints: 0,
    hit: null,
    support: NaN,
    resistance: NaN,
    daysSinceLow: NaN,
    daysSinceHigh: NaN,
    swing: 0,
    swingPosition: NaN,
    aboveOneByOne: NaN,
    daysToNextTurn: Infinity,
  };
}

/**
 * How the 100 points of the score are divided: the project's own choice, not fitted to data.
 *
 * The score describes, it does not forecast. Of 225,856 days of liquid IDX stocks from July 2020 to May 2024, 26.9 % reached
 * +10 % before -5 % within 20 days. By fifths of the day's scores, lowest first: 26.9, 26.8, 26.9, 26.8 and 27.0 %; from a
 * score of 50 on 27.1 % (1.01 times the overall rate, 95 % interval over blocks of 20 days 0.98 to 1.04).
 */
export const TIME_POINTS = 40;
export const PRICE_POINTS = 35;
/** Confirmation by the last bar, 25 points in all. */
export const CONFIRMATION_POINTS = {
  /** The bar turns up from a low. */
  upTurn: 10,
  /** The bar rises on more than average volume. */
  volume: 10,
  /** The bar closes above the 1x1 line from the last swing low. */
  trend: 5,
} as const;

/** Sum of the parts, 0 to 100. Without any time cycle the time part does not exist, and the other parts are scaled to 100. */
export function cycleScore(time: number, price: number, confirmation: number, hasCycles: boolean): number {
  return hasCycles ? time + price + confirmation : ((price + confirmation) * 100) / (100 - TIME_POINTS);
}

/**
 * How near a close is to the nearer of two levels (NaN for none): 1 at a level, falling linearly to 0 at a distance of
 * `tolerance`, a fraction of the close.
 */
export function levelCloseness(
  close: number,
  support: number,
  resistance: number,
  tolerance: number,
): number {
  const below = Number.isNaN(support) ? Infinity : close - support;
  const above = Number.isNaN(resistance) ? Infinity : resistance - close;
  return Math.max(0, 1 - Math.min(below, above) / close / tolerance);
}

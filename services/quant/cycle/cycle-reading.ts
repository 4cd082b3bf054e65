/** A time cycle that falls due, counted from one of the last three pivots. */
export interface CycleHit {
  /** Length of the cycle. */
  days: number;
  unit: 'calendar' | 'exchange';
  from: 'high' | 'low';
}

/** What the cycles say of one stock on one day. Prices are IDR as of that day. */
export interface CycleReading {
  /** 0 to 100, and the points of its parts. */
  score: number;
  timePoints: number;
  pricePoints: number;
  confirmationPoints: number;
  /** The cycle nearest to its day; null when none is due. */
  hit: CycleHit | null;
  /** Square of Nine; NaN for none. */
  support: number;
  resistance: number;
  /** Exchange days since the last swing low (high) that is known by now; NaN for none. */
  daysSinceLow: number;
  daysSinceHigh: number;
  /** 1 when the last pivot is a low, -1 when it is a high, 0 before the first. */
  swing: -1 | 0 | 1;
  /** Where the close lies between the last swing low (0) and high (1), or beyond; NaN without both. */
  swingPosition: number;
  /** How far the close is above the 1x1 line from the last swing low, in average true ranges of the low's bar; NaN without it. */
  aboveOneByOne: number;
  /** Calendar days until the next cycle from one of the pivots falls due, at least 1; Infinity for none. */
  daysToNextTurn: number;
}

/** To be written over and over: reading allocates little. */
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

import { ceilToTick, floorToTick } from './tick-size.ts';

/** `special`: the watch-list (full call auction) and acceleration boards, which may trade below 50. */
export type LimitRule = 'regular' | 'special';

/** Prices in IDR between which orders of the day are accepted, both included. */
export interface PriceLimits {
  lower: number;
  upper: number;
}

export const REGULAR_FLOOR_IDR = 50;
const SPECIAL_PCT = 10;

/** Upper limit in percent of the reference price, by that price; also the lower one while symmetric. */
function symmetricPct(previous: number): number {
  if (previous <= 200) return 35;
  return previous <= 5_000 ? 25 : 20;
}

/** Lower limits over time: null means symmetric, as it was before. The last entry that has begun applies. */
const LOWER_PCT_SINCE: readonly { from: string; pct: number | null }[] = [
  { from: '2020-03-10', pct: 10 },
  { from: '2020-03-13', pct: 7 },
  { from: '2023-06-05', pct: 15 },
  { from: '2023-09-04', pct: null },
  { from: '2025-04-08', pct: 15 },
];

function ownLowerPct(isoDate: string): number | null {
  for (let i = LOWER_PCT_SINCE.length - 1; i >= 0; i--) {
    if (LOWER_PCT_SINCE[i]!.from <= isoDate) return LOWER_PCT_SINCE[i]!.pct;
  }
  return null;
}

/**
 * Auto-rejection limits for a day (ISO date) and its reference price `previous`, rounded inwards to
 * tradable prices. Source: IDX decrees on auto rejection 2020-2025, confirmed on five years of bars.
 */
export function priceLimits(previous: number, isoDate: string, rule: LimitRule): PriceLimits {
  if (rule === 'special') return specialLimits(previous);
  const upperPct = symmetricPct(previous);
  const lowerPct = ownLowerPct(isoDate) ?? upperPct;
  return {
    lower: Math.max(REGULAR_FLOOR_IDR, ceilToTick(percentOf(previous, 100 - lowerPct))),
    upper: floorToTick(percentOf(previous, 100 + upperPct)),
  };
}

/** One rupiah either way up to 10, ten percent above. */
function specialLimits(previous: number): PriceLimits {
  if (previous <= 10) return { lower: Math.max(1, previous - 1), upper: previous + 1 };
  return {
    lower: ceilToTick(percentOf(previous, 100 - SPECIAL_PCT)),
    upper: floorToTick(percentOf(previous, 100 + SPECIAL_PCT)),
  };
}

/** Whole percents of whole rupiahs, multiplied first so that the product is exact. */
function percentOf(price: number, pct: number): number {
  return (price * pct) / 100;
}

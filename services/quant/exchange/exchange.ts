/** `special`: the watch-list (full call auction) and acceleration boards, which may trade below 50 IDR. */
export type LimitRule = 'regular' | 'special';

/** Lowest and highest price in IDR at which orders of the day are accepted, both included. */
export interface PriceLimits {
  lower: number;
  upper: number;
}

export const REGULAR_FLOOR_IDR = 50;
const SPECIAL_FLOOR_IDR = 1;
const SPECIAL_PCT = 10;

/** Upper limit in percent of the reference price. Also the lower limit while the limits are symmetric. */
function symmetricPct(previous: number): number {
  if (previous <= 200) return 35;
  return previous <= 5_000 ? 25 : 20;
}

/** Lower limits over time: null means symmetric, as before the first entry. The last entry that has begun applies. */
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
  const lowerPct = ownLowerPct(isoDate) ?? symmetricPct(previous);
  return {
    lower: Math.max(REGULAR_FLOOR_IDR, ceilToTick(percentOf(previous, 100 - lowerPct))),
    upper: upperLimit(previous),
  };
}

/** Highest price of a day on the regular boards, given its reference price; IDR. The rule is the same in all years. */
export function upperLimit(previous: number): number {
  return floorToTick(percentOf(previous, 100 + symmetricPct(previous)));
}

/** One rupiah either way for prices up to 10, ten percent above that. */
function specialLimits(previous: number): PriceLimits {
  if (previous <= 10) return { lower: Math.max(1, previous - 1), upper: previous + 1 };
  return {
    lower: ceilToTick(percentOf(previous, 100 - SPECIAL_PCT)),
    upper: floorToTick(percentOf(previous, 100 + SPECIAL_PCT)),
  };
}

/** Takes whole percents of whole rupiahs. Multiplies first so that the product is exact. */
function percentOf(price: number, pct: number): number {
  return (price * pct) / 100;
}

/**
 * The lowest price at which a stock that closes at `close` can trade. Only the special boards trade below the floor of the
 * regular boards, down to one rupiah.
 */
export function floorPrice(close: number): number {
  return close < REGULAR_FLOOR_IDR ? SPECIAL_FLOOR_IDR : REGULAR_FLOOR_IDR;
}

/** Minimum number of trading days for a price to rise to `target`, if each day reaches its upper limit. */
export function leastDaysUp(price: number, target: number, isoDate: string): number {
  const rule = price < REGULAR_FLOOR_IDR ? 'special' : 'regular';
  let days = 0;
  for (let reached = price; reached < target; days++) reached = priceLimits(reached, isoDate, rule).upper;
  return days;
}

/** Shares in one lot of the regular market. The negotiated market also trades odd lots. */
export const LOT_SHARES = 100;

/** Tick sizes (fraksi harga): a price below the bound moves in steps of the tick. Both in IDR. */
const TICKS: readonly { below: number; tick: number }[] = [
  { below: 200, tick: 1 },
  { below: 500, tick: 2 },
  { below: 2_000, tick: 5 },
  { below: 5_000, tick: 10 },
];
const MAX_TICK = 25;

/** Tick in IDR at a price in IDR (IDX rule II-A). */
export function tickSize(price: number): number {
  for (const { below, tick } of TICKS) if (price < below) return tick;
  return MAX_TICK;
}

/** The highest tradable price not above `price`. */
export function floorToTick(price: number): number {
  const tick = tickSize(price);
  return Math.floor(price / tick) * tick;
}

/** The lowest tradable price not below `price`. */
export function ceilToTick(price: number): number {
  const tick = tickSize(price);
  return Math.ceil(price / tick) * tick;
}

/** The nearest tradable price, at least one tick. */
export function roundToTick(price: number): number {
  const tick = tickSize(price);
  return Math.max(tick, Math.round(price / tick) * tick);
}

/** Broker fee as a fraction of an order's value, including levies and the tax on sales. Typical rates of online brokers. */
export const BUY_FEE = 0.0015;
export const SELL_FEE = 0.0025;

/** `special`: the watch-list (full call auction) and acceleration boards, which may trade below 50 IDR. */
export type LimitRule = 'regular' | 'special';

/** Lowest and highest price in IDR at which orders of the day are accepted, both included. */
export interface PriceLimits {
  lower: number;
  upper: number;
}

export const REGULAR_FLOOR_IDR = 50;
const SPECIAL_FLOOR_IDR = 1;
/**
 * Up to this price a special board allows one rupiah either way: the watch-list since 2024-03-25. Before, percentages of such
 * prices would leave hardly any other price, so the same is assumed.
 */
const ONE_RUPIAH_UP_TO_IDR = 10;

/** Upper limit in percent of the reference price. Also the lower limit while the limits are symmetric. */
function symmetricPct(previous: number): number {
  if (previous <= 200) return 35;
  return previous <= 5_000 ? 25 : 20;
}

/** The entry of a list in order of time that applies on a day: the last that has begun. */
function since<T extends { from: string }>(list: readonly T[], isoDate: string): T {
  let at = list.length - 1;
  while (at > 0 && list[at]!.from > isoDate) at--;
  return list[at]!;
}

/** Lower limits of the regular boards in percent; null means symmetric. */
const LOWER_PCT: readonly { from: string; pct: number | null }[] = [
  { from: '', pct: null },
  { from: '2015-08-25', pct: 10 },
  { from: '2017-01-03', pct: null },
  { from: '2020-03-10', pct: 10 },
  { from: '2020-03-13', pct: 7 },
  { from: '2023-06-05', pct: 15 },
  { from: '2023-09-04', pct: null },
  { from: '2025-04-08', pct: 15 },
];

/**
 * Limits of the special boards in percent, and the floor of a stock that still trades at or above it, IDR. Illiquid names and the
 * acceleration board traded below 50 also under the hybrid auction of 2023.
 */
const SPECIAL: readonly { from: string; lower: number; upper: number; floor: number }[] = [
  { from: '', lower: 10, upper: 10, floor: SPECIAL_FLOOR_IDR },
  { from: '2021-07-19', lower: 7, upper: 10, floor: SPECIAL_FLOOR_IDR },
  { from: '2023-06-12', lower: 10, upper: 10, floor: REGULAR_FLOOR_IDR },
  { from: '2024-03-25', lower: 10, upper: 10, floor: SPECIAL_FLOOR_IDR },
];

/** Multiple of the limits on the first trading day of a listing. */
const FIRST_DAY_MULTIPLE: readonly { from: string; multiple: number }[] = [
  { from: '', multiple: 2 },
  { from: '2020-03-13', multiple: 1 },
];

/** Lower limit of the regular boards on a day in percent of the reference price; null while it equals the upper limit. */
export function lowerLimitPct(isoDate: string): number | null {
  return since(LOWER_PCT, isoDate).pct;
}

/**
 * Auto-rejection limits for a day (ISO date) and its reference price `previous`, rounded inwards to tradable prices. Source:
 * IDX decrees on auto rejection 2015-2025, confirmed on five years of bars.
 *
 * @param isFirstDay whether it is the first trading day of a listing
 */
export function priceLimits(
  previous: number,
  isoDate: string,
  rule: LimitRule,
  isFirstDay = false,
): PriceLimits {
  if (rule === 'special') return specialLimits(previous, isoDate);
  const multiple = isFirstDay ? since(FIRST_DAY_MULTIPLE, isoDate).multiple : 1;
  return {
    lower: lowerLimit(previous, isoDate, multiple),
    upper: floorToTick(percentOf(previous, 100 + multiple * symmetricPct(previous)), isoDate),
  };
}

/**
 * Lowest price of a day on the regular boards, given its reference price; IDR.
 *
 * @param multiple of the percentage: more than 1 only on the first trading day of a listing
 */
export function lowerLimit(previous: number, isoDate: string, multiple = 1): number {
  const pct = since(LOWER_PCT, isoDate).pct ?? symmetricPct(previous);
  return Math.max(REGULAR_FLOOR_IDR, ceilToTick(percentOf(previous, 100 - multiple * pct), isoDate));
}

/** Highest price of a day on the regular boards, given its reference price; IDR. The percentage is the same in all years. */
export function upperLimit(previous: number, isoDate: string): number {
  return floorToTick(percentOf(previous, 100 + symmetricPct(previous)), isoDate);
}

/** The wider of one rupiah either way, up to 10 IDR, and the percentages of the day. */
function specialLimits(previous: number, isoDate: string): PriceLimits {
  if (previous <= ONE_RUPIAH_UP_TO_IDR)
    return { lower: Math.max(SPECIAL_FLOOR_IDR, previous - 1), upper: previous + 1 };
  const { lower, upper, floor } = since(SPECIAL, isoDate);
  const lowest = ceilToTick(percentOf(previous, 100 - lower), isoDate);
  return {
    lower: previous < floor ? lowest : Math.max(floor, lowest),
    upper: floorToTick(percentOf(previous, 100 + upper), isoDate),
  };
}

/** Takes whole percents of whole rupiahs. Multiplies first so that the product is exact. */
function percentOf(price: number, pct: number): number {
  return (price * pct) / 100;
}

/**
 * The floor of the board on which a stock that closes at `close` trades. Only the special boards trade below that of the regular
 * boards, down to one rupiah.
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

/** Trading days after a trade on which its shares and money change hands. */
const SETTLEMENT: readonly { from: string; days: number }[] = [
  { from: '', days: 3 },
  { from: '2018-11-26', days: 2 },
];

/** Trading days until a trade of a day is settled. */
export function settlementDays(isoDate: string): number {
  return since(SETTLEMENT, isoDate).days;
}

/** A price below the bound moves in steps of the tick; the last entry has no bound. Both in IDR. */
type Ticks = readonly { below: number; tick: number }[];

/** Tick sizes (fraksi harga) over time (IDX rule II-A). */
const TICKS: readonly { from: string; ticks: Ticks }[] = [
  {
    from: '',
    ticks: [
      { below: 500, tick: 1 },
      { below: 5_000, tick: 5 },
      { below: Infinity, tick: 25 },
    ],
  },
  {
    from: '2016-05-02',
    ticks: [
      { below: 200, tick: 1 },
      { below: 500, tick: 2 },
      { below: 2_000, tick: 5 },
      { below: 5_000, tick: 10 },
      { below: Infinity, tick: 25 },
    ],
  },
];
const TODAYS_TICKS = TICKS.at(-1)!;

/** Tick in IDR at a price in IDR on a day; without one, by the rule of today. */
export function tickSize(price: number, isoDate?: string): number {
  const { ticks } =
    isoDate === undefined || isoDate >= TODAYS_TICKS.from ? TODAYS_TICKS : since(TICKS, isoDate);
  for (const { below, tick } of ticks) if (price < below) return tick;
  return ticks.at(-1)!.tick;
}

/** The highest tradable price not above `price`. */
export function floorToTick(price: number, isoDate?: string): number {
  const tick = tickSize(price, isoDate);
  return Math.floor(price / tick) * tick;
}

/** The lowest tradable price not below `price`. */
export function ceilToTick(price: number, isoDate?: string): number {
  const tick = tickSize(price, isoDate);
  return Math.ceil(price / tick) * tick;
}

/** The highest tradable price below `price`. */
export function tickBelow(price: number, isoDate?: string): number {
  const floor = floorToTick(price, isoDate);
  return floor < price ? floor : floor - tickSize(floor - 1, isoDate);
}

/**
 * The nearest tradable price, at least one tick; by the rule of today, whose ticks are multiples of the earlier ones, so that it
 * was tradable on any day.
 */
export function roundToTick(price: number): number {
  const tick = tickSize(price);
  return Math.max(tick, Math.round(price / tick) * tick);
}

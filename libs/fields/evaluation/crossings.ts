import type { Scaled } from '../rules/rules.ts';
import { numbersOf, restatedMove, restatingScale, type Days, type MarketColumns } from './market-columns.ts';
import { MET, UNKNOWN, type Truths } from './truth.ts';

/** A crossing as in `Test`. */
export interface CrossingOf {
  field: string;
  side: 'above' | 'below';
  other: number | Scaled;
  withinDays: number;
}

/** Longer ago than any window. */
const NEVER = -1_000_000;

/**
 * Whether a crossing happened in the days up to each day. One that did is met, whatever the other days hold; otherwise a day on
 * which it is unknown whether it happened makes the whole unknown. So does a day after missing ones, and what happened before these counts
 * no longer, since it is unknown how many days ago that was.
 */
export function crossingTruths(market: MarketColumns, crossing: CrossingOf, days: Days): Truths {
  const stocks = market.tickers.length;
  const { withinDays } = crossing;
  const events = new CrossingEvents(market, crossing);
  const lastMet = new Int32Array(stocks).fill(NEVER);
  const lastUnknown = new Int32Array(stocks).fill(NEVER);
  const out = new Uint8Array((days.lastDay + 1 - days.firstDay) * stocks);
  for (let day = days.firstDay + 1 - withinDays; day <= days.lastDay; day++) {
    if (market.gaps?.includes(day)) lastMet.fill(NEVER);
    const today = events.on(day);
    for (let stock = 0; stock < stocks; stock++) {
      if (today[stock] === MET) lastMet[stock] = day;
      else if (today[stock] === UNKNOWN) lastUnknown[stock] = day;
    }
    if (day < days.firstDay) continue;
    const start = (day - days.firstDay) * stocks;
    for (let stock = 0; stock < stocks; stock++) {
      if (day - lastMet[stock]! < withinDays) out[start + stock] = MET;
      else if (day - lastUnknown[stock]! < withinDays) out[start + stock] = UNKNOWN;
    }
  }
  return out;
}

/** How many days before `day` the newest crossing of a stock was, 0 for the day itself; null if there was none in time. */
export function daysSinceCrossing(
  market: MarketColumns,
  crossing: CrossingOf,
  day: number,
  stock: number,
): number | null {
  const events = new CrossingEvents(market, crossing);
  for (let ago = 0; ago < crossing.withinDays; ago++) {
    if (events.on(day - ago)[stock] === MET) return ago;
    if (market.gaps?.includes(day - ago)) return null;
  }
  return null;
}

/** The truth of "crossed on this day", which compares the day with the exchange day before. */
class CrossingEvents {
  readonly #values: Float32Array;
  /** What is compared, for every stock-day; undefined for a number. */
  readonly #others: Float32Array | undefined;
  readonly #times: number;
  readonly #level: number;
  /** Two prices of one day are in the same terms. A number is a price of the day, so the day before is restated. */
  readonly #factors: Float32Array | undefined;
  readonly #sign: 1 | -1;
  readonly #events: Uint8Array;
  readonly #gaps: readonly number[];

  constructor(market: MarketColumns, { field, side, other }: CrossingOf) {
    const { values, factors } = numbersOf(market, field);
    const isNumber = typeof other === 'number';
    this.#values = values;
    this.#others = isNumber ? undefined : numbersOf(market, other.field).values;
    this.#times = isNumber ? 1 : other.times;
    this.#level = isNumber ? Math.fround(other) : 0;
    this.#factors = isNumber ? factors : undefined;
    this.#sign = side === 'above' ? 1 : -1;
    this.#events = new Uint8Array(market.tickers.length);
    this.#gaps = market.gaps ?? [];
  }

  /** One truth for each stock; overwritten by the next call. */
  on(day: number): Uint8Array {
    const events = this.#events;
    if (day < 1 || this.#gaps.includes(day)) return events.fill(UNKNOWN);
    const [values, others, times, level, factors] = [
      this.#values,
      this.#others,
      this.#times,
      this.#level,
      this.#factors,
    ];
    const sign = this.#sign;
    const stocks = events.length;
    for (let stock = 0, now = day * stocks; stock < stocks; stock++, now++) {
      const before = now - stocks;
      const scale = restatingScale(factors, before, now);
      const distance = sign * (values[now]! - (others ? Math.fround(times * others[now]!) : level));
      const otherBefore = others ? Math.fround(times * others[before]!) : level;
      const distanceBefore = sign * restatedMove(otherBefore, values[before]! * scale, scale);
      const isKnown = distance - distanceBefore === distance - distanceBefore;
      events[stock] = isKnown ? MET * (Number(distance > 0) & Number(distanceBefore <= 0)) : UNKNOWN;
    }
    return events;
  }
}

import { mean, ROUNDING, type Figure } from './arithmetic.ts';
import type { CorporateFactor } from './corporate-factors.ts';
import type { RawStock } from './raw-archive.ts';

const LIQUID_IDR = 1e9;
const LIQUID_DAYS = 20;

/** What the liquid stocks of an exchange day did. */
const NOTHING = { weight: 0, weighted: 0, above20: 0, with20: 0, above50: 0, with50: 0 };
type MarketDay = typeof NOTHING;

/** The whole market, to which stocks are added one after the other: breadth, and an index weighted by capitalisation. */
export class MarketHistory {
  readonly #exchangeDays: readonly string[];
  readonly #days: MarketDay[];
  readonly #numberOf: Map<string, number>;

  constructor(exchangeDays: readonly string[]) {
    this.#exchangeDays = exchangeDays;
    this.#numberOf = new Map(exchangeDays.map((date, number) => [date, number]));
    this.#days = exchangeDays.map(() => ({ ...NOTHING }));
  }

  add({ days }: RawStock, factors: readonly CorporateFactor[]): void {
    const numbers = days.map(({ date }) => this.#numberOf.get(date)!);
    const averageUpTo = averageValues(days, numbers);
    const doubts = factors.flatMap(({ doubt }, ex) => (doubt ? [{ ex, until: doubt.until }] : []));
    const closes: number[] = [];
    let scale = 1;
    for (const [i, day] of days.entries()) {
      scale /= (factors[i]!.doubt?.then ?? factors[i]!).price;
      if (day.volume === 0) continue;
      const number = numbers[i]!;
      const close = day.close * scale;
      const before = closes.at(-1);
      closes.push(close);
      const ofDay = this.#days[number]!;
      const isInDoubt = doubts.some(({ ex, until }) => ex < i && until > days[i - 1]!.date);
      if (before !== undefined && !isInDoubt && averageUpTo(number - 1) >= LIQUID_IDR) {
        const weight = days[i - 1]!.close * days[i - 1]!.listedShares;
        ofDay.weight += weight;
        ofDay.weighted += weight * (close / before - 1);
      }
      if (averageUpTo(number) < LIQUID_IDR) continue;
      for (const [bars, above, counted] of [
        [20, 'above20', 'with20'],
        [50, 'above50', 'with50'],
      ] as const) {
        if (closes.length < bars) continue;
        ofDay[counted] += 1;
        ofDay[above] += Number(close > mean(closes.slice(-bars)) + ROUNDING * close);
      }
    }
  }

  /** The fields of the group market on a day. */
  figuresOn(date: string): Record<string, Figure> {
    const day = this.#days[this.#numberOf.get(date)!]!;
    const scores = this.#scores(this.#numberOf.get(date)! + 1);
    return {
      regime: confirmed(scores),
      regime_score: scores.at(-1)!,
      market_above_sma_20_pct: day.with20 === 0 ? null : (100 * day.above20) / day.with20,
      market_above_sma_50_pct: day.with50 === 0 ? null : (100 * day.above50) / day.with50,
      market_return_1d: 100 * returnOf(day),
    };
  }

  /** 0.30 of breadth over 20 bars, 0.25 of that over 50, 0.25 of the index return of 20 days, 0.20 of its trend. */
  #scores(count: number): number[] {
    const levels: number[] = [];
    return this.#exchangeDays.slice(0, count).map((_, number) => {
      const day = this.#days[number]!;
      levels.push((levels.at(-1) ?? 100) * (1 + returnOf(day)));
      const level = levels.at(-1)!;
      const before = levels.at(-21);
      const balance = (above: number, counted: number) =>
        counted === 0 ? 0 : 2 * ((100 * above) / counted - 50);
      const move = before === undefined ? 0 : 12.5 * 100 * (level / before - 1);
      const trend = levels.length < 50 ? 0 : trendOf(level, mean(levels.slice(-20)), mean(levels.slice(-50)));
      return (
        0.3 * balance(day.above20, day.with20) +
        0.25 * balance(day.above50, day.with50) +
        0.25 * Math.min(100, Math.max(-100, move)) +
        0.2 * trend
      );
    });
  }
}

const returnOf = ({ weight, weighted }: MarketDay) => (weight === 0 ? 0 : weighted / weight);

function trendOf(level: number, average20: number, average50: number): number {
  if (level > average50 && average20 > average50) return 100;
  return level < average50 && average20 < average50 ? -100 : 0;
}

/** From 25 BULL, down to -25 BEAR. It changes when three days agree. */
function confirmed(scores: readonly number[]): string {
  const said = scores.map((score) => (score >= 25 ? 'BULL' : score <= -25 ? 'BEAR' : 'SIDEWAYS'));
  const agreed = said.findLastIndex((one, i) => i >= 2 && said[i - 1] === one && said[i - 2] === one);
  return agreed < 0 ? 'SIDEWAYS' : said[agreed]!;
}

/** The average daily value of 20 exchange days up to a day, for days in ascending order; 0 before the stock was listed for as long. */
function averageValues(days: RawStock['days'], numbers: readonly number[]): (day: number) => number {
  let [sum, next, oldest] = [0, 0, 0];
  return (day) => {
    for (; next < days.length && numbers[next]! <= day; next++) sum += days[next]!.value;
    for (; oldest < next && numbers[oldest]! <= day - LIQUID_DAYS; oldest++) sum -= days[oldest]!.value;
    return numbers[0]! <= day + 1 - LIQUID_DAYS ? sum / LIQUID_DAYS : 0;
  };
}

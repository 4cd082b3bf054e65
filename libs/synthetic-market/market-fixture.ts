import { DEFAULT_LAST_DATE, generateMarket, type SyntheticTicker } from './generate-market.ts';

/** A market of default size for tests. */
export const MARKET: readonly SyntheticTicker[] = [...generateMarket({ seed: 1 })];
export const LAST_DATE = DEFAULT_LAST_DATE;

/** The traded bars of one company. Prices are adjusted to its last day. */
interface TradedBars {
  date: string[];
  high: Float64Array;
  low: Float64Array;
  close: Float64Array;
  volume: Float64Array;
  value: Float64Array;
}

function tradedBars({ rows }: SyntheticTicker): TradedBars {
  const scale = new Float64Array(rows.date.length).fill(1);
  for (let i = scale.length - 2; i >= 0; i--) {
    scale[i] = (scale[i + 1]! * rows.previous[i + 1]!) / rows.close[i]!;
  }
  const traded = [...rows.date.keys()].filter((i) => rows.volume[i]! > 0);
  const raw = (column: Float64Array) => Float64Array.from(traded, (i) => column[i]!);
  const adjusted = (column: Float64Array) => Float64Array.from(traded, (i) => column[i]! * scale[i]!);
  return {
    date: traded.map((i) => rows.date[i]!),
    high: adjusted(rows.high),
    low: adjusted(rows.low),
    close: adjusted(rows.close),
    volume: raw(rows.volume),
    value: raw(rows.value),
  };
}

export const BARS: readonly TradedBars[] = MARKET.map(tradedBars);

/** Companies that trade at least 10 billion IDR on an average day. */
export const LIQUID = MARKET.map((company, i) => ({ ...company, bars: BARS[i]! })).filter(
  ({ bars: { value } }) => value.length > 500 && mean(value) >= 1e10,
);

export function mean(values: Iterable<number>): number {
  let [sum, count] = [0, 0];
  for (const value of values) {
    sum += value;
    count++;
  }
  return sum / count;
}

export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

export function correlation(x: number[], y: number[]): number {
  const [mx, my] = [mean(x), mean(y)];
  let [xy, xx, yy] = [0, 0, 0];
  for (let i = 0; i < x.length; i++) {
    xy += (x[i]! - mx) * (y[i]! - my);
    xx += (x[i]! - mx) ** 2;
    yy += (y[i]! - my) ** 2;
  }
  return xy / Math.sqrt(xx * yy);
}

/** Correlation of a series with itself `lag` entries earlier. */
export function lagged(values: number[], lag: number): number {
  return correlation(values.slice(lag), values.slice(0, -lag));
}

export function logReturnsOf(close: Float64Array): number[] {
  return Array.from(close.subarray(1), (price, i) => Math.log(price / close[i]!));
}

/** The number of rows of the market that satisfy the predicate. */
export function countRows(predicate: (company: SyntheticTicker, i: number) => boolean): number {
  let found = 0;
  for (const company of MARKET) {
    for (let i = 0; i < company.rows.date.length; i++) if (predicate(company, i)) found++;
  }
  return found;
}

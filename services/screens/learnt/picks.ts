import type { ScoredStock } from './learnt-market.ts';

export interface RankedStock {
  stock: ScoredStock;
  /** What it is ranked by, 0 to 100. */
  score: number;
}

interface Floors {
  /** IDR, of the close. */
  min_price: number;
  /** IDR, of the mean of the last 20 exchange days. */
  min_daily_val: number;
}

type Priced = Pick<ScoredStock, 'close' | 'averageValue'>;

export function isAboveFloors(
  { close, averageValue }: Priced,
  { min_price, min_daily_val }: Floors,
): boolean {
  return close >= min_price && averageValue >= min_daily_val;
}

/** By the unrounded chance, then the code, so that the order never depends on chance in the other sense. */
export function likeliestFirst(a: ScoredStock, b: ScoredStock): number {
  return b.chance - a.chance || (a.code < b.code ? -1 : 1);
}

/** In percent; undefined of none. */
export function highestProbability(stocks: readonly ScoredStock[]): number | undefined {
  return stocks.length === 0 ? undefined : Math.max(...stocks.map(({ probability }) => probability));
}

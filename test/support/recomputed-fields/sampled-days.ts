import fc from 'fast-check';
import type { RecomputedMarket, RenamedStock, StockPast } from './recomputed-market.ts';

export interface SampledDay {
  /** Why the day was chosen. */
  kind: string;
  ticker: string;
  date: string;
}

/** Lines after a split, and after a listing, that the longest short windows still reach over. */
const NEAR_LINES = 60;
/** The only stock with real broker rows of the days of the archive. */
export const BROKER_STOCK = 'BUMI';

/** Twenty stocks and days by chance, among them every kind that fields treat in its own way. */
export function sampledDays(market: RecomputedMarket, renamed: RenamedStock, seed: number): SampledDay[] {
  const chances = fc.sample(fc.noBias(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })), {
    seed,
    numRuns: 200,
  });
  const below = (end: number) => Math.floor(chances.pop()! * end);
  const oneOf = <Item>(items: readonly Item[]) => items[below(items.length)]!;
  const { pasts } = market;
  const past = (ticker: string) => pasts.find((one) => one.ticker === ticker)!;
  const near = (from: number, { lines }: StockPast) => Math.min(lines - 1, from + below(NEAR_LINES));

  const kinds: [kind: string, count: number, of: StockPast[], line: (stock: StockPast) => number][] = [
    [
      'after a split',
      4,
      pasts.filter(({ splits }) => splits.length > 0),
      (stock) => near(oneOf(stock.splits), stock),
    ],
    ['renamed', 2, [past(renamed.to)], ({ lines }) => below(lines)],
    ['halted', 3, pasts.filter(({ halts }) => halts.length > 0), ({ halts }) => oneOf(halts)],
    ['newly listed', 2, pasts.filter(({ isListedLater }) => isListedLater), (stock) => near(0, stock)],
    ['first day', 1, pasts.filter(({ isListedLater }) => isListedLater), () => 0],
    ['with broker rows', 4, [past(BROKER_STOCK)], ({ lines }) => below(lines)],
    ['the newest day', 1, pasts, ({ lines }) => lines - 1],
    ['any', 3, pasts, ({ lines }) => below(lines)],
  ];
  return kinds.flatMap(([kind, count, of, line]) =>
    Array.from({ length: count }, () => {
      const stock = oneOf(of);
      return { kind, ticker: stock.ticker, date: market.datesOf(stock.ticker)[line(stock)]! };
    }),
  );
}

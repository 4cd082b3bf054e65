import type { BarFixture } from '../panel/panel-fixture.ts';
import { generateMarket } from '../synthetic/generate-market.ts';

/** Bars of an invented market for tests, ordered by ticker and date, with the corporate actions that happened in it. */
export function generatedBars(options: { seed: number; tickers: number; days: number }): BarFixture[] {
  return [...generateMarket(options)].flatMap(({ ticker, rows }) =>
    rows.date.map((date, i) => {
      const closeBefore = i === 0 ? 0 : rows.close[i - 1]!;
      const [close, volume] = [rows.close[i]!, rows.volume[i]!];
      return {
        ...{ ticker, date, close, volume, open: close, previous: rows.previous[i]! },
        ...(volume > 0 ? { high: rows.high[i]!, low: rows.low[i]! } : {}),
        value: rows.value[i]!,
        listed_shares: rows.listed_shares[i]!,
        foreign_buy: rows.foreign_buy[i]!,
        foreign_sell: rows.foreign_sell[i]!,
        factor: closeBefore > 0 ? rows.previous[i]! / closeBefore : 1,
      };
    }),
  );
}

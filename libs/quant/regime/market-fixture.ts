import type { BarFixture } from '../panel/panel-fixture.ts';
import { generateMarket } from '#synthetic-market/generate-market.ts';

/** Rights issues restate prices and shares by different ratios. For a split the ratios differ only by tick rounding. */
const SPLIT_TOLERANCE = 0.1;

/** Bars of a generated market for tests, ordered by ticker and date, including its corporate actions. */
export function generatedBars(options: { seed: number; tickers: number; days: number }): BarFixture[] {
  return [...generateMarket(options)].flatMap(({ ticker, rows }) =>
    rows.date.map((date, i) => {
      const closeBefore = i === 0 ? 0 : rows.close[i - 1]!;
      const [close, volume] = [rows.close[i]!, rows.volume[i]!];
      const priceRatio = closeBefore > 0 ? rows.previous[i]! / closeBefore : 1;
      const shareRatio = i === 0 ? 1 : rows.listed_shares[i - 1]! / rows.listed_shares[i]!;
      const isSplit = Math.abs(shareRatio / priceRatio - 1) < SPLIT_TOLERANCE;
      return {
        ticker,
        date,
        close,
        volume,
        open: close,
        previous: rows.previous[i]!,
        ...(volume > 0 ? { high: rows.high[i]!, low: rows.low[i]! } : {}),
        value: rows.value[i]!,
        frequency: rows.frequency[i]!,
        listed_shares: rows.listed_shares[i]!,
        foreign_buy: rows.foreign_buy[i]!,
        foreign_sell: rows.foreign_sell[i]!,
        nego_value: rows.non_regular_value[i]!,
        factor: isSplit ? shareRatio : priceRatio,
        share_factor: isSplit ? shareRatio : 1,
      };
    }),
  );
}

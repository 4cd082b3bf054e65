import type { FeatureWords } from '#quant/features/feature-words.ts';

/** Windows in bars. The buckets have fixed bounds, so how far a stock moves counts, and not its rank alone. */
export const VOLATILITY_BARS = [5, 20, 60, 250];

/** The logarithm of the daily volatility of a window. */
export function volatilityName(bars: number): string {
  return `log_volatility_${bars}`;
}

/** Of what the forecast looks at beside columns of the feature table. */
export const VOLATILITY_WORDS: Readonly<Record<string, FeatureWords>> = Object.fromEntries(
  VOLATILITY_BARS.map((bars) => [
    volatilityName(bars),
    {
      id: `Volatilitas harian dalam ${bars} hari`,
      en: `The daily volatility over ${bars} days`,
      unit: 'log_fraction',
    },
  ]),
);

import { GROSS_WORDS } from '#quant/broker-features/gross-words.ts';
import { FEATURE_WORDS, type FeatureWords } from '#quant/features/feature-words.ts';
import { CYCLE_WORDS } from '#quant/gann/cycle-words.ts';

/** Windows in bars. The buckets have fixed bounds, so the size of a stock's moves matters, and not only its rank. */
export const VOLATILITY_BARS = [5, 20, 60, 250];

/** Name of the feature that is the logarithm of the daily volatility of a window. */
export function volatilityName(bars: number): string {
  return `log_volatility_${bars}`;
}

/** Words for the forecast's features that are not columns of the feature table. */
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

const WORDS: Readonly<Record<string, FeatureWords>> = {
  ...FEATURE_WORDS,
  ...CYCLE_WORDS,
  ...GROSS_WORDS,
  ...VOLATILITY_WORDS,
};

/** The name of every feature of every model. */
export const FEATURES: readonly string[] = Object.keys(WORDS);

/**
 * The words for a feature of any model.
 * @throws RangeError if the feature has no words
 */
export function wordsOf(feature: string): FeatureWords {
  const words = WORDS[feature];
  if (!words) throw new RangeError(`feature ${feature} has no words`);
  return words;
}

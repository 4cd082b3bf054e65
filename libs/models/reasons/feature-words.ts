import { GROSS_WORDS } from '#quant/broker-features/gross-words.ts';
import { FEATURE_WORDS, type FeatureWords } from '#quant/features/feature-words.ts';
import { CYCLE_WORDS } from '#quant/gann/cycle-words.ts';
import { VOLATILITY_WORDS } from '../recovery/feature-names.ts';

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

import { GROSS_WORDS } from '#quant/broker-features/gross-words.ts';
import { FEATURE_WORDS, type FeatureWords } from '#quant/features/feature-words.ts';
import type { CYCLE_FEATURES } from '#quant/gann/cycle-features.ts';

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

/** Words for every cycle feature. */
const CYCLE_WORDS: Readonly<Record<(typeof CYCLE_FEATURES)[number], FeatureWords>> = {
  cycle_score: { id: 'Skor siklus', en: 'The cycle score', unit: 'points' },
  cycle_time_points: { id: 'Skor siklus waktu', en: 'The score of the time cycles', unit: 'points' },
  cycle_price_points: { id: 'Skor level harga', en: 'The score of the price levels', unit: 'points' },
  cycle_confirmation_points: { id: 'Skor konfirmasi tren', en: 'The score of the trend', unit: 'points' },
  sq9_support_gap: {
    id: 'Jarak ke level Square of Nine di bawah harga',
    en: 'The distance to the level of the Square of Nine below',
    unit: 'fraction',
  },
  sq9_resistance_gap: {
    id: 'Jarak ke level Square of Nine di atas harga',
    en: 'The distance to the level of the Square of Nine above',
    unit: 'fraction',
  },
  days_since_swing_low: { id: 'Waktu sejak swing low', en: 'The time since the swing low', unit: 'days' },
  days_since_swing_high: { id: 'Waktu sejak swing high', en: 'The time since the swing high', unit: 'days' },
  swing_direction: { id: 'Arah swing terakhir', en: 'The direction of the last swing', unit: 'direction' },
  swing_position: {
    id: 'Letak harga dari swing low ke swing high',
    en: 'The way of the price from swing low to swing high',
    unit: 'fraction',
  },
  above_one_by_one: { id: 'Jarak di atas garis 1x1', en: 'The distance above the 1x1 line', unit: 'ranges' },
  days_to_next_turn: {
    id: 'Waktu sampai siklus berikutnya',
    en: 'The time to the end of the next cycle',
    unit: 'days',
  },
};

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

import type { FeatureWords } from '../features/feature-words.ts';
import type { CYCLE_FEATURES } from './cycle-features.ts';

/** Words for every cycle feature. */
export const CYCLE_WORDS: Readonly<Record<(typeof CYCLE_FEATURES)[number], FeatureWords>> = {
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

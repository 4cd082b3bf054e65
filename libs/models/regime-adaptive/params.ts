import { Localised } from '#foundation/text/localised.ts';
import { leastDays } from '../inputs/history.ts';
import {
  analysisDate,
  integer,
  maxPicks,
  minDailyVal,
  minPrice,
  minProbability,
  stopLoss,
  targetGain,
  trainDays,
  word,
  type ParamsOf,
} from '../inputs/parameters.ts';

export const ID = 'regime_adaptive_v6';
/** Version of the method. It is part of the fingerprint of what the model learns. */
export const VERSION = 'v6';

export const params = {
  analysis_date: analysisDate,
  regime: word(['auto', 'bull', 'sideways', 'bear'], {
    default: 'auto',
    label: new Localised('Kondisi pasar', 'Market regime'),
    meaning: new Localised(
      'Kondisi pasar yang dipakai. Pilih auto agar model membacanya sendiri dari data pada hari analisis. Pada bull, saham yang jauh di bawah puncak 60 harinya dilewatkan; pada sideways, saham yang tinggi dalam rentangnya; pada bear, probabilitas minimum naik 5 poin dan jumlah saham terbanyak menjadi separuh.',
      'Market regime to assume; auto determines it from the data of the analysed day. In a bull market, stocks far below their 60-day high are skipped; in a sideways market, stocks high within their range; in a bear market, the minimum probability rises by 5 points and at most half as many stocks are returned.',
    ),
  }),
  min_price: minPrice({ default: 200, minimum: 50, maximum: 10_000 }),
  min_daily_val: minDailyVal(5_000_000_000),
  min_probability: minProbability(60),
  target_gain: targetGain({ default: 0.08, minimum: 0.03, maximum: 0.3 }),
  stop_loss: stopLoss,
  horizon_days: integer({
    default: 20,
    minimum: 5,
    maximum: 40,
    label: new Localised('Lama posisi terpanjang', 'Longest holding period'),
    meaning: new Localised(
      'Lama posisi terpanjang dalam hari bursa sebelum dianggap tidak mencapai target.',
      'Maximum holding period in trading days. After it, the target counts as missed.',
    ),
  }),
  train_days: trainDays,
  max_picks: maxPicks({ default: 10, maximum: 20 }),
};

export type RegimeAdaptiveParams = ParamsOf<typeof params>;

/** Trading days that a run needs, up to and including the analysed day. */
export function daysNeeded({ horizon_days }: RegimeAdaptiveParams): number {
  return leastDays(horizon_days);
}

import { Localised } from '#foundation/text/localised.ts';
import { leastDays } from '../inputs/history.ts';
import {
  analysisDate,
  float,
  integer,
  maxPicks,
  minDailyVal,
  minPrice,
  minProbability,
  stopLoss,
  targetGain,
  word,
  type ParamsOf,
} from '../inputs/parameters.ts';

export const ID = 'model_f_combined';
/** Version of the method. It is part of the fingerprint of what the model learns. */
export const VERSION = 'v1';

/** Trading days after which a position is closed. */
export const HORIZON_DAYS = 20;
/** Trading days trained on. */
export const TRAIN_DAYS = 500;

/** The ways to combine probability and signals, in the order in which Compare All shows them. */
export const STRATEGIES = ['Inverse Signal', 'Gated', 'Hybrid Score', 'Intersection'] as const;
export type Strategy = (typeof STRATEGIES)[number];
export const COMPARE_ALL = 'Compare All';

export const params = {
  analysis_date: analysisDate,
  min_price: minPrice({ default: 500, minimum: 100, maximum: 5000 }),
  min_daily_val: minDailyVal(10_000_000_000),
  min_probability: minProbability(65),
  min_signals: integer({
    default: 2,
    minimum: 1,
    maximum: 4,
    label: new Localised('Jumlah sinyal minimum', 'Fewest signals'),
    meaning: new Localised(
      'Jumlah sinyal teknikal dari empat: Stochastic, MACD, perpotongan MA, dan volume. Pada Inverse Signal angka ini bukan syarat: sejak sekian sinyal skor mulai dikurangi. Pada strategi lain, saham dengan sinyal lebih sedikit tidak diterima.',
      'Minimum number of the four technical signals: Stochastic, MACD, moving-average crossover, and volume. In Inverse Signal this is not a minimum: the score starts to fall at this number of signals. All other strategies leave out stocks with fewer.',
    ),
  }),
  prob_weight: float({
    default: 0.6,
    minimum: 0.3,
    maximum: 0.8,
    label: new Localised('Bobot probabilitas', 'Weight of the probability'),
    meaning: new Localised(
      'Bobot probabilitas dibandingkan dengan sinyal teknikal dalam urutan. Strategi Gated tidak memakainya, karena mengurutkan menurut probabilitas saja.',
      'Weight of the probability relative to the technical signals in the ranking. Gated ignores it, because it ranks by probability alone.',
    ),
  }),
  signal_penalty: float({
    default: 0.3,
    minimum: 0,
    maximum: 0.5,
    label: new Localised('Pengurang untuk banyak sinyal', 'Penalty for many signals'),
    meaning: new Localised(
      'Pengurang skor untuk saham yang sinyalnya sudah ramai. Hanya berlaku pada strategi Inverse Signal. Compare All menjalankan strategi itu juga, sehingga urutannya ikut berubah.',
      'How much the score of a stock with many signals is reduced. Affects only the Inverse Signal strategy. Compare All runs that strategy too, so its ranking changes as well.',
    ),
  }),
  strategy: word([...STRATEGIES, COMPARE_ALL], {
    default: 'Inverse Signal',
    label: new Localised('Strategi', 'Strategy'),
    meaning: new Localised(
      'Cara menggabungkan probabilitas dan sinyal dalam urutan. Compare All menjalankan keempat strategi sekaligus.',
      'How probability and signals are combined into a ranking. Compare All runs all four strategies and puts the stocks that most of them pick first.',
    ),
  }),
  target_gain: targetGain({ default: 0.1, minimum: 0.05, maximum: 0.3 }),
  stop_loss: stopLoss,
  max_picks: maxPicks({ default: 10, maximum: 20 }),
};

export type CombinedParams = ParamsOf<typeof params>;

/** Trading days that a run needs, up to and including the analysed day. */
export function daysNeeded(): number {
  return leastDays(HORIZON_DAYS);
}

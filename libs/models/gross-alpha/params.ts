import { Localised } from '#foundation/text/localised.ts';
import { leastDays } from '../inputs/history.ts';
import {
  analysisDate,
  boolean,
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
import { HORIZON_DAYS } from './broker-needs.ts';

export const ID = 'gross_alpha_v10';
/** Version of the method. It is part of the fingerprint of what the model learns. */
export const VERSION = 'v10';

export const params = {
  analysis_date: analysisDate,
  min_price: minPrice({ default: 200, minimum: 50, maximum: 10_000 }),
  min_daily_val: minDailyVal(5_000_000_000),
  flow_window: integer({
    default: 10,
    minimum: 3,
    maximum: 30,
    label: new Localised('Rentang transaksi broker', 'Days of broker trades'),
    meaning: new Localised(
      'Jumlah hari bursa terakhir yang dilihat pada transaksi broker.',
      'Number of trading days of broker trades to consider, up to the analysed day.',
    ),
  }),
  broker_group: word(['all', 'foreign', 'bandar', 'ex_retail'], {
    default: 'all',
    label: new Localised('Kelompok broker', 'Group of brokers'),
    meaning: new Localised(
      'Kelompok broker yang dinilai: semua, asing, bandar (institusi lokal), atau semua selain ritel.',
      'Whose trades are judged: all, foreign, bandar (local institutions), or all but retail brokers.',
    ),
  }),
  exclude_retail_led: boolean({
    default: true,
    label: new Localised('Keluarkan yang didorong ritel', 'Leave out rises led by retail'),
    meaning: new Localised(
      'Apakah saham yang kenaikannya terutama didorong pembelian ritel dikeluarkan.',
      'Whether to leave out stocks whose rise is driven mostly by retail buying.',
    ),
  }),
  min_probability: minProbability(60),
  target_gain: targetGain({ default: 0.1, minimum: 0.05, maximum: 0.3 }),
  stop_loss: stopLoss,
  train_days: trainDays,
  max_picks: maxPicks({ default: 10, maximum: 20 }),
};

export type GrossAlphaParams = ParamsOf<typeof params>;

/** Trading days that a run needs, up to and including the analysed day. */
export function daysNeeded(): number {
  return leastDays(HORIZON_DAYS);
}

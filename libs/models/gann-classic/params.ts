import { MIN_BARS } from '#quant/universe/candidates.ts';
import { Localised } from '#foundation/text/localised.ts';
import { leastDays } from '../inputs/history.ts';
import {
  analysisDate,
  boolean,
  float,
  integer,
  integerItem,
  list,
  maxPicks,
  minDailyVal,
  minPrice,
  minProbability,
  stopLoss,
  targetGain,
  type ParamsOf,
} from '../inputs/parameters.ts';

export const ID = 'gann_classic_v7';
/** Version of the method. It is part of the fingerprint of what the model learns. */
export const VERSION = 'v7';

/** Trading days after which a position is closed. */
export const HORIZON_DAYS = 20;
/** Trading days trained on. */
export const TRAIN_DAYS = 500;

const MAX_CYCLE_DAYS = 720;
const CYCLE_MISTAKE = `must be a whole number of days from 1 to ${MAX_CYCLE_DAYS}`;

export const params = {
  analysis_date: analysisDate,
  min_price: minPrice({ default: 200, minimum: 50, maximum: 10_000 }),
  min_daily_val: minDailyVal(5_000_000_000),
  pivot_window: integer({
    default: 10,
    minimum: 5,
    maximum: 30,
    label: new Localised('Lebar titik balik', 'Width of a pivot'),
    meaning: new Localised(
      'Jumlah hari perdagangan di kiri dan kanan yang menentukan sebuah titik puncak atau dasar. Nilai besar hanya menyisakan titik balik utama, tetapi titik itu baru dikenali setelah hari sebanyak ini berlalu.',
      'Trading days on each side that a high or low must stand out from to count as a pivot. Larger values keep only major turns, which become known that many days later.',
    ),
  }),
  cycle_tolerance: integer({
    default: 2,
    minimum: 0,
    maximum: 5,
    label: new Localised('Toleransi siklus', 'Tolerance of a cycle'),
    meaning: new Localised(
      'Selisih hari yang masih dihitung sebagai jatuh tempo siklus; makin dekat, makin tinggi nilainya.',
      'How many days early or late a cycle may be and still count; the closer, the higher its score.',
    ),
  }),
  price_tolerance_pct: float({
    default: 1.5,
    minimum: 0.5,
    maximum: 5,
    label: new Localised('Toleransi harga', 'Tolerance of the price'),
    meaning: new Localised(
      'Jarak harga penutupan ke level Square of Nine terdekat yang masih dianggap dekat, dalam persen.',
      'How far the close may be from the nearest Square of Nine level, in percent.',
    ),
  }),
  min_cycle_score: float({
    default: 50,
    minimum: 0,
    maximum: 100,
    label: new Localised('Skor siklus minimum', 'Lowest cycle score'),
    meaning: new Localised(
      'Skor siklus minimum (0-100) agar saham lolos.',
      'Minimum cycle score, from 0 to 100.',
    ),
  }),
  cycles: list(integerItem({ minimum: 1, maximum: MAX_CYCLE_DAYS }, CYCLE_MISTAKE), {
    default: [45, 90, 144, 180, 360],
    label: new Localised('Panjang siklus', 'Lengths of cycles'),
    meaning: new Localised(
      'Daftar panjang siklus dalam hari, dihitung dari tiga titik balik terakhir dalam hari kalender maupun hari bursa. Bila kosong, waktu tidak dinilai dan skor hanya berasal dari harga dan konfirmasi.',
      'Lengths of cycles in days, counted from the last three turns in calendar days and in trading days. If the list is empty, time is not scored, and the score comes from price and confirmation alone.',
    ),
  }),
  use_ml: boolean({
    default: true,
    label: new Localised('Saring dengan model statistik', 'Filter by a statistical model'),
    meaning: new Localised(
      'Apakah hasil siklus disaring lagi dengan model statistik. Bila false, tidak ada yang dipelajari: saham diurutkan menurut skor siklus dan min_probability tidak berlaku.',
      'Whether a statistical model filters the results of the cycles. If false, nothing is trained: stocks are ranked by their cycle score, and min_probability has no effect.',
    ),
  }),
  min_probability: minProbability(55),
  target_gain: targetGain({ default: 0.1, minimum: 0.05, maximum: 0.3 }),
  stop_loss: stopLoss,
  max_picks: maxPicks({ default: 10, maximum: 20 }),
};

export type GannParams = ParamsOf<typeof params>;

/** Trading days that a run needs, up to and including the analysed day. */
export function daysNeeded({ use_ml }: GannParams): number {
  return use_ml ? leastDays(HORIZON_DAYS) : MIN_BARS;
}

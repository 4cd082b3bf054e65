import { MIN_BARS } from '#quant/universe/candidates.ts';
import { Localised } from '#foundation/text/localised.ts';
import {
  analysisDate,
  boolean,
  float,
  integer,
  maxPicks,
  minDailyVal,
  minPrice,
  type ParamsOf,
} from '../inputs/parameters.ts';

export const ID = 'confluence_filter';
/** Version of the method. It is part of the fingerprint of what the model learns. */
export const VERSION = 'v1';

export const params = {
  analysis_date: analysisDate,
  lookback: integer({
    default: 5,
    minimum: 1,
    maximum: 10,
    label: new Localised('Rentang sinyal', 'Days a signal counts'),
    meaning: new Localised(
      'Jumlah hari bursa terakhir tempat sinyal masih dihitung; 1 berarti hanya hari analisis.',
      'Number of trading days for which a signal counts, up to the analysed day; 1 is the analysed day alone.',
    ),
  }),
  min_signals: integer({
    default: 2,
    minimum: 1,
    maximum: 4,
    label: new Localised('Jumlah sinyal minimum', 'Fewest signals'),
    meaning: new Localised(
      'Jumlah sinyal minimum dari empat: Stochastic, MACD, perpotongan MA, dan volume.',
      'Minimum number of the four signals: Stochastic, MACD, moving-average crossover, and volume.',
    ),
  }),
  min_price: minPrice({ default: 100, minimum: 50, maximum: 10_000 }),
  min_daily_val: minDailyVal(1_000_000_000),
  vol_ratio_min: float({
    default: 1.5,
    minimum: 1,
    maximum: 5,
    label: new Localised('Lonjakan volume minimum', 'Lowest rise of the volume'),
    meaning: new Localised(
      'Kelipatan volume terhadap rata-rata 20 hari pada hari naik agar sinyal volume dihitung; 1.5 berarti satu setengah kali.',
      'Volume on a rising day, as a multiple of its 20-day average, that gives the volume signal; 1.5 is one and a half times.',
    ),
  }),
  seller_filter: boolean({
    default: true,
    label: new Localised('Keluarkan yang didominasi penjual', 'Leave out stocks that sellers dominate'),
    meaning: new Localised(
      'Apakah saham yang sedang didominasi penjual dikeluarkan dari hasil.',
      'Whether to leave out stocks in which sellers currently dominate.',
    ),
  }),
  seller_lookback: integer({
    default: 5,
    minimum: 1,
    maximum: 20,
    label: new Localised('Rentang saringan penjual', 'Days the seller filter looks back'),
    meaning: new Localised(
      'Jumlah hari bursa terakhir yang dilihat saringan penjual. Data broker dipakai hanya bila tersedia untuk semua hari itu.',
      'Number of trading days that the seller filter looks back. Broker rows are used only if every one of these days has some.',
    ),
  }),
  seller_dominance: float({
    default: 1.5,
    minimum: 1,
    maximum: 5,
    label: new Localised('Ambang dominasi penjual', 'Sellers dominate from'),
    meaning: new Localised(
      'Berapa kali jual bersih lima broker penjual terbesar harus melampaui beli bersih lima broker pembeli terbesar agar penjual dianggap dominan; tanpa data broker, nilai jual asing terhadap nilai beli asing. Nilai besar membuat saringan lebih longgar.',
      'Sellers dominate when the net sales of the five largest sellers are at least this multiple of the net purchases of the five largest buyers; without broker rows, foreign sales are compared with foreign purchases. Larger values make the filter less strict.',
    ),
  }),
  max_picks: maxPicks({ default: 20, maximum: 50 }),
};

export type ConfluenceParams = ParamsOf<typeof params>;

/** Trading days that a run needs, up to and including the analysed day. */
export function daysNeeded(): number {
  return MIN_BARS;
}

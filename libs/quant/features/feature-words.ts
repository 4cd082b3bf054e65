/** How to read the value of a feature. */
export type FeatureUnit =
  /** -1 to 1: rank among the names of the day. */
  | 'rank'
  /** -1 to 1: a score from -100 to 100, divided by 100. */
  | 'score'
  /** Points, not rescaled. */
  | 'points'
  /** A fraction, shown in percent. */
  | 'fraction'
  /** Days. */
  | 'days'
  /** Multiples of the average true range. */
  | 'ranges'
  /** Above 0 for up, below 0 for down. */
  | 'direction'
  /** The natural logarithm of a fraction, shown in percent. */
  | 'log_fraction';

/** A feature's name for readers: a noun phrase that includes the window, usable as the subject of a sentence. */
export interface FeatureWords {
  id: string;
  en: string;
  unit: FeatureUnit;
}

const ranked = (id: string, en: string): FeatureWords => ({ id, en, unit: 'rank' });
const change = (bars: number) =>
  ranked(`Kenaikan harga ${bars} hari`, `The price change of ${bars} ${bars === 1 ? 'day' : 'days'}`);
const aboveMean = (bars: number) =>
  ranked(`Harga terhadap rata-rata ${bars} hari`, `The price against its ${bars}-day average`);
const foreignNet = (days: number) =>
  ranked(`Beli bersih asing ${days} hari`, `Net buying by foreign investors over ${days} days`);

/** Words for every column of a feature table, by its name in `feature-definitions.ts`. */
export const FEATURE_WORDS: Readonly<Record<string, FeatureWords>> = {
  ...Object.fromEntries([1, 5, 20, 60, 120].map((bars) => [`roc_${bars}`, change(bars)])),
  ...Object.fromEntries([5, 20, 50].map((bars) => [`ma_${bars}`, aboveMean(bars)])),
  max_60: ranked('Harga terhadap puncak 60 hari', 'The price against its 60-day high'),
  min_60: ranked('Harga terhadap dasar 60 hari', 'The price against its 60-day low'),
  close_place: ranked('Letak penutupan di rentang harian', 'The place of the close in the range of the day'),
  bollinger_place: ranked('Letak harga di pita Bollinger', 'The place of the price in its Bollinger bands'),
  rsi_14: ranked('RSI 14 hari', 'The 14-day RSI'),
  macd_histogram: ranked('Histogram MACD', 'The MACD histogram'),
  rsqr_20: ranked('Kelurusan tren 20 hari', 'The straightness of the 20-day trend'),
  rises_20: ranked('Jumlah hari naik dari 20 hari', 'The share of rising days among 20'),
  volume_20: ranked('Volume terhadap rata-rata 20 hari', 'The volume against its 20-day average'),
  volume_std_20: ranked('Naik turunnya volume 20 hari', 'The variation of the volume of 20 days'),
  weighted_volatility_20: ranked(
    'Gejolak harga tertimbang volume 20 hari',
    'The variation of volume-weighted moves of 20 days',
  ),
  price_volume_corr_20: ranked(
    'Korelasi harga dan volume 20 hari',
    'The correlation of price and volume over 20 days',
  ),
  range_1: ranked('Rentang harga hari analisis', 'The price range of the day'),
  atr_14: ranked('Rentang harga rata-rata 14 hari', 'The average true range of 14 days'),
  std_20: ranked('Simpangan harga 20 hari', 'The standard deviation of 20 closes'),
  volatility_60: ranked('Volatilitas 60 hari', 'The volatility of 60 days'),
  upper_limit_gap: ranked('Jarak ke batas atas harian', 'The distance to the upper limit of the day'),
  lower_limit_gap: ranked(
    'Letak batas bawah harian terhadap harga',
    'The lower limit of the day against the close',
  ),
  average_value_20: ranked('Nilai transaksi 20 hari', 'The value traded in 20 days'),
  turnover_20: ranked(
    'Nilai transaksi 20 hari terhadap kapitalisasi',
    'The value traded in 20 days against the market capitalisation',
  ),
  capitalisation: ranked('Kapitalisasi pasar', 'The market capitalisation'),
  trade_size_20: ranked('Nilai rata-rata per transaksi 20 hari', 'The average trade size of 20 days'),
  foreign_share_20: ranked('Porsi asing 20 hari', 'The share of foreign investors in 20 days of trading'),
  ...Object.fromEntries([5, 20].map((days) => [`foreign_net_${days}`, foreignNet(days)])),
  nego_20: ranked(
    'Porsi pasar negosiasi 20 hari',
    'The negotiated market against the regular one over 20 days',
  ),
  age: ranked('Lama tercatat di bursa', 'The trading age of the stock'),
  regime_score: { id: 'Skor kondisi pasar', en: 'The market regime score', unit: 'score' },
};

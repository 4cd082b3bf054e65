import { defineModel, type Model } from '../model.ts';
import {
  analysisDate,
  boolean,
  float,
  integer,
  maxPicks,
  minDailyVal,
  minPrice,
  type ParamsOf,
} from '../parameters.ts';

export const params = {
  analysis_date: analysisDate,
  lookback: integer({
    default: 5,
    minimum: 1,
    maximum: 10,
    description: 'Jumlah hari bursa terakhir tempat sinyal masih dihitung; 1 berarti hanya hari analisis.',
  }),
  min_signals: integer({
    default: 2,
    minimum: 1,
    maximum: 4,
    description: 'Jumlah sinyal minimum dari empat: Stochastic, MACD, perpotongan MA, dan volume.',
  }),
  min_price: minPrice({ default: 100, minimum: 50, maximum: 10_000 }),
  min_daily_val: minDailyVal(1_000_000_000),
  vol_ratio_min: float({
    default: 1.5,
    minimum: 1,
    maximum: 5,
    description:
      'Kelipatan volume terhadap rata-rata 20 hari pada hari naik agar sinyal volume dihitung; 1.5 berarti satu setengah kali.',
  }),
  seller_filter: boolean({
    default: true,
    description: 'Apakah saham yang sedang didominasi penjual dikeluarkan dari hasil.',
  }),
  seller_lookback: integer({
    default: 5,
    minimum: 1,
    maximum: 20,
    description:
      'Jumlah hari bursa terakhir yang dilihat saringan penjual. Data broker dipakai hanya bila tersedia untuk semua hari itu.',
  }),
  seller_dominance: float({
    default: 1.5,
    minimum: 1,
    maximum: 5,
    description:
      'Berapa kali jual bersih lima broker penjual terbesar harus melampaui beli bersih lima broker pembeli terbesar agar penjual dianggap dominan; tanpa data broker, nilai jual asing terhadap nilai beli asing. Nilai besar membuat saringan lebih longgar.',
  }),
  max_picks: maxPicks({ default: 20, maximum: 50 }),
};

export type ConfluenceParams = ParamsOf<typeof params>;

export const confluenceFilter: Model = defineModel({
  id: 'confluence_filter',
  name: 'Model D: Confluence Filter',
  category: 'swing',
  version: 'v1',
  params,
  views: ['full'],
  explanation: {
    what: 'Model D tidak memakai pembelajaran mesin. Saham lolos jika Stochastic, MACD, perpotongan MA, dan volume memberi sinyal searah dalam beberapa hari terakhir. Saham yang sedang didominasi penjual dikeluarkan: menurut data broker bila tersedia, atau menurut transaksi asing bila tidak.',
    when: 'Cocok untuk mencari awal kenaikan jangka pendek dengan aturan yang bisa diperiksa sendiri pada grafik. Hasilnya tersedia dalam hitungan detik, sehingga baik untuk daftar pantauan harian.',
    how: 'Mulailah dengan dua sinyal dalam lima hari. Naikkan min_signals ke tiga untuk daftar yang lebih pendek dan lebih kuat, karena pada data historis keunggulan baru terlihat mulai tiga sinyal. Perpendek lookback agar hanya sinyal yang masih segar dihitung, dan naikkan min_daily_val bila Anda bertransaksi dalam jumlah besar.',
  },
  learns: false,
  examples: () => [{ params: { min_signals: 1 } }],
  screen: () => import('./screen.ts'),
  results: () => import('./result.ts'),
});

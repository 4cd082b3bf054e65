import { analysisDate, maxPicks, minDailyVal, minPrice } from './common-parameters.ts';
import type { ModelDefinition } from './model-definition.ts';

export const confluenceFilter: ModelDefinition = {
  id: 'confluence_filter',
  name: 'Model D: Confluence Filter',
  category: 'swing',
  version: 'v1',
  views: ['full'],
  params: {
    analysis_date: analysisDate,
    lookback: {
      type: 'integer',
      default: 5,
      min: 1,
      max: 10,
      description: 'Jumlah hari bursa terakhir tempat sinyal masih dihitung; 1 berarti hanya hari analisis.',
    },
    min_signals: {
      type: 'integer',
      default: 2,
      min: 1,
      max: 4,
      description: 'Jumlah sinyal minimum dari empat: Stochastic, MACD, perpotongan MA, dan volume.',
    },
    min_price: minPrice({ default: 100, min: 50, max: 10_000 }),
    min_daily_val: { ...minDailyVal, default: 1_000_000_000 },
    vol_ratio_min: {
      type: 'float',
      default: 1.5,
      min: 1,
      max: 5,
      description:
        'Kelipatan volume terhadap rata-rata 20 hari pada hari naik agar sinyal volume dihitung; 1.5 berarti satu setengah kali.',
    },
    seller_filter: {
      type: 'boolean',
      default: true,
      description: 'Apakah saham yang sedang didominasi penjual dikeluarkan dari hasil.',
    },
    seller_lookback: {
      type: 'integer',
      default: 5,
      min: 1,
      max: 20,
      description:
        'Jumlah hari bursa terakhir yang dilihat saringan penjual. Data broker dipakai hanya bila tersedia untuk semua hari itu.',
    },
    seller_dominance: {
      type: 'float',
      default: 1.5,
      min: 1,
      max: 5,
      description:
        'Berapa kali jual bersih lima broker penjual terbesar harus melampaui beli bersih lima broker pembeli terbesar agar penjual dianggap dominan; tanpa data broker, nilai jual asing terhadap nilai beli asing. Nilai besar membuat saringan lebih longgar.',
    },
    max_picks: maxPicks({ default: 20, max: 50 }),
  },
  explanation: {
    what: 'Model D tidak memakai pembelajaran mesin. Saham lolos jika Stochastic, MACD, perpotongan MA, dan volume memberi sinyal searah dalam beberapa hari terakhir. Saham yang sedang didominasi penjual dikeluarkan: menurut data broker bila tersedia, atau menurut transaksi asing bila tidak.',
    when: 'Cocok untuk mencari awal kenaikan jangka pendek dengan aturan yang bisa diperiksa sendiri pada grafik. Hasilnya tersedia dalam hitungan detik, sehingga baik untuk daftar pantauan harian.',
    how: 'Mulailah dengan dua sinyal dalam lima hari. Naikkan min_signals ke tiga untuk daftar yang lebih pendek dan lebih kuat, karena pada data historis keunggulan baru terlihat mulai tiga sinyal. Perpendek lookback agar hanya sinyal yang masih segar dihitung, dan naikkan min_daily_val bila Anda bertransaksi dalam jumlah besar.',
  },
};

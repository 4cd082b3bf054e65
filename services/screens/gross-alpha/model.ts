import { ENTRY_TEXT, PROBABILITY_TEXT } from '../learnt/explanation.ts';
import { defineModel, LOW_FLOORS, type Model } from '../model.ts';
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
} from '../parameters.ts';

export const params = {
  analysis_date: analysisDate,
  min_price: minPrice({ default: 200, minimum: 50, maximum: 10_000 }),
  min_daily_val: minDailyVal(5_000_000_000),
  flow_window: integer({
    default: 10,
    minimum: 3,
    maximum: 30,
    description: 'Jumlah hari bursa terakhir yang dilihat pada transaksi broker.',
  }),
  broker_group: word(['all', 'foreign', 'bandar', 'ex_retail'], {
    default: 'all',
    description:
      'Kelompok broker yang dinilai: semua, asing, bandar (institusi lokal), atau semua selain ritel.',
  }),
  exclude_retail_led: boolean({
    default: true,
    description: 'Apakah saham yang kenaikannya terutama didorong pembelian ritel dikeluarkan.',
  }),
  min_probability: minProbability(60),
  target_gain: targetGain({ default: 0.1, minimum: 0.05, maximum: 0.3 }),
  stop_loss: stopLoss,
  train_days: trainDays,
  max_picks: maxPicks({ default: 10, maximum: 20 }),
};

export type GrossAlphaParams = ParamsOf<typeof params>;

export const grossAlpha: Model = defineModel({
  id: 'gross_alpha_v10',
  name: 'Model C: General Purpose',
  category: 'swing',
  version: 'v10',
  params,
  views: ['full'],
  explanation: {
    what: `Model C menilai momentum dari transaksi kotor tiap broker: siapa yang membeli, seberapa terpusat, dan apakah ritel berada di sisi yang berlawanan. Pembelian dan penjualan dilihat terpisah sebelum saling dikurangkan, lalu dipelajari bersama data harga dan volume. Model dilatih ulang pada setiap perhitungan untuk memperkirakan saham mana yang mencapai target sebelum batas kerugian dalam 20 hari bursa. ${PROBABILITY_TEXT} ${ENTRY_TEXT} Saham diurutkan menurut skor, yaitu 70 persen probabilitas dan 30 persen kekuatan beli kelompok broker yang dipilih dibandingkan saham lain pada hari itu.`,
    when: 'Cocok sebagai penyaring umum untuk swing 1-4 minggu bila Anda ingin ikut mempertimbangkan siapa yang bertransaksi. Memerlukan data broker yang lengkap: perhitungan gagal bila data itu mencakup kurang dari 80 persen transaksi harian saham likuid, baik pada jendela analisis maupun pada masa belajar. Bila data broker adalah data buatan (broker_data: synthetic), hasilnya hanya memperlihatkan cara kerja model, karena broker buatan tidak tahu apa pun tentang harga esok hari.',
    how: 'Pilih broker_group sesuai pelaku yang ingin Anda ikuti; all mengikuti lima pembeli bersih terbesar dikurangi lima penjual bersih terbesar, karena semua broker bersama-sama selalu membeli sebanyak yang mereka jual. Jendela 5-10 hari menangkap akumulasi baru, sedangkan 20-30 hari menangkap akumulasi yang tenang dan lama. Biarkan exclude_retail_led aktif, kecuali Anda memang mencari saham yang sedang ramai: saringan ini mengeluarkan saham yang naik selama jendela itu ketika ritel menjadi pembeli bersih terbesar. Target kenaikan dan batas kerugian menentukan apa yang dipelajari model, dan tingkat keberhasilan yang sebenarnya ada di model_quality.',
  },
  learns: true,
  needsBrokerRows: true,
  examples: () => [{ params: { ...LOW_FLOORS, min_probability: 40 } }],
  screen: () => import('./screen.ts'),
  results: () => import('./result.ts'),
});

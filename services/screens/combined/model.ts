import { ENTRY_TEXT, PROBABILITY_TEXT } from '../learnt/explanation.ts';
import { defineModel, type ExampleOf, LOW_FLOORS, type Model } from '../model.ts';
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
} from '../parameters.ts';

/** Ways to put probability and signals together, in the order in which Compare All shows them. */
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
    description:
      'Jumlah sinyal teknikal dari empat: Stochastic, MACD, perpotongan MA, dan volume. Pada Inverse Signal angka ini bukan syarat: sejak sekian sinyal skor mulai dikurangi. Pada strategi lain, saham dengan sinyal lebih sedikit tidak diterima.',
  }),
  prob_weight: float({
    default: 0.6,
    minimum: 0.3,
    maximum: 0.8,
    description:
      'Bobot probabilitas dibandingkan dengan sinyal teknikal dalam urutan. Strategi Gated tidak memakainya, karena mengurutkan menurut probabilitas saja.',
  }),
  signal_penalty: float({
    default: 0.3,
    minimum: 0,
    maximum: 0.5,
    description:
      'Pengurang skor untuk saham yang sinyalnya sudah ramai. Hanya berlaku pada strategi Inverse Signal, juga bila Compare All menjalankannya.',
  }),
  strategy: word([...STRATEGIES, COMPARE_ALL], {
    default: 'Inverse Signal',
    description:
      'Cara menggabungkan probabilitas dan sinyal dalam urutan. Compare All menjalankan keempat strategi sekaligus.',
  }),
  target_gain: targetGain({ default: 0.1, minimum: 0.05, maximum: 0.3 }),
  stop_loss: stopLoss,
  max_picks: maxPicks({ default: 10, maximum: 20 }),
};

export type CombinedParams = ParamsOf<typeof params>;

/** Loose enough that a small market has picks. */
const LOOSE = { ...LOW_FLOORS, min_probability: 40, min_signals: 1 };

export const combined: Model = defineModel({
  id: 'model_f_combined',
  name: 'Model F: Combined ML + Signals',
  category: 'swing',
  version: 'v1',
  params,
  views: ['full', 'compact'],
  explanation: {
    what: `Model F menggabungkan skor probabilitas dan jumlah sinyal teknikal. Probabilitas berasal dari model statistik yang dilatih ulang pada setiap perhitungan dengan 500 hari bursa terakhir; ia menilai seberapa mungkin saham mencapai target sebelum menyentuh batas kerugian dalam 20 hari bursa. Sinyalnya sama dengan Model D: Stochastic, MACD, perpotongan MA, dan volume 1,5 kali rata-rata, masing-masing dalam lima hari bursa terakhir. Batas min_probability berlaku pada setiap strategi; min_signals menjadi syarat pada semua strategi kecuali Inverse Signal. ${PROBABILITY_TEXT} ${ENTRY_TEXT} Tingkat keberhasilan sebenarnya di luar data latih ditampilkan pada model_quality.`,
    when: 'Cocok bila Anda menginginkan daftar pendek yang lolos dua ujian sekaligus, statistik dan teknikal, untuk swing sampai 20 hari bursa. Pada banyak hari tidak ada saham yang lolos keduanya; hasil kosong menyebutkan saringan mana yang dapat dilonggarkan dan sampai nilai berapa.',
    how: 'Pilih strategi lebih dulu. Inverse Signal mengurutkan menurut probabilitas yang dikurangi bila sinyalnya sudah ramai, yaitu sejak min_signals sinyal; saham tanpa sinyal pun diterima. Gated mengurutkan menurut probabilitas saja; sinyal hanya menjadi syarat. Hybrid Score menjumlahkan keduanya menurut prob_weight. Intersection hanya menerima saham yang termasuk probabilitas tertinggi, sebanyak dua kali max_picks, dan lolos Model D beserta saringan penjualnya, lalu mengurutkan menurut rata-rata kedua peringkat dengan bobot prob_weight. Compare All menjalankan keempatnya dan mendahulukan saham yang dipilih paling banyak strategi. Bukti bahwa sinyal yang sepi lebih baik itu lemah: pada data historis saham dengan tiga atau empat sinyal sedikit lebih sering berhasil, jadi signal_penalty 0 juga pilihan yang wajar. Turunkan min_probability sedikit demi sedikit bila hasil kosong, dan sesuaikan target_gain serta stop_loss dengan rencana transaksi Anda.',
  },
  learns: true,
  examples: (): ExampleOf<typeof params>[] => [
    { params: LOOSE },
    { params: { ...LOOSE, strategy: COMPARE_ALL } },
    { view: 'compact', params: LOOSE },
    { view: 'compact', params: { min_probability: 100 } },
  ],
  screen: () => import('./screen.ts'),
  results: () => import('./result.ts'),
});

import { Localised } from '#foundation/text/localised.ts';
import { ENTRY_TEXT, PROBABILITY_TEXT } from '../trained/explanation.ts';
import { defineModel, type ExampleOf, LOW_FLOORS, type Model } from '../model/model.ts';
import { ID, VERSION, HORIZON_DAYS, TRAIN_DAYS, COMPARE_ALL, params, daysNeeded } from './params.ts';

/** Floors low enough for a small market to have picks. */
const LOOSE = { ...LOW_FLOORS, min_probability: 40, min_signals: 1 };

export const combined: Model = defineModel({
  id: ID,
  name: 'Model F: Combined ML + Signals',
  category: 'swing',
  version: VERSION,
  params,
  views: ['full', 'compact'],
  explanation: {
    what: new Localised(
      `Model F menggabungkan skor probabilitas dan jumlah sinyal teknikal. Probabilitas berasal dari model statistik yang dilatih ulang pada setiap perhitungan dengan 500 hari bursa terakhir; ia menilai seberapa mungkin saham mencapai target sebelum menyentuh batas kerugian dalam 20 hari bursa. Sinyalnya sama dengan Model D: Stochastic, MACD, perpotongan MA, dan volume 1,5 kali rata-rata, masing-masing dalam lima hari bursa terakhir. Batas min_probability berlaku pada setiap strategi; min_signals menjadi syarat pada semua strategi kecuali Inverse Signal. ${PROBABILITY_TEXT.in.id} ${ENTRY_TEXT.in.id} Tingkat keberhasilan sebenarnya di luar data latih ditampilkan pada model_quality.`,
      `Model F combines a probability score with a count of technical signals. The probability comes from a statistical model that is retrained on the last 500 trading days in each run; it estimates how likely a stock is to reach its target before its stop within 20 trading days. The signals are those of Model D: Stochastic, MACD, moving-average crossover, and volume of at least 1.5 times its average, each within the last five trading days. min_probability applies to every strategy; min_signals is required by every strategy except Inverse Signal. ${PROBABILITY_TEXT.in.en} ${ENTRY_TEXT.in.en} model_quality shows how often its picks actually succeeded outside the training data.`,
    ),
    when: new Localised(
      'Cocok bila Anda menginginkan daftar pendek yang lolos dua ujian sekaligus, statistik dan teknikal, untuk swing sampai 20 hari bursa. Pada banyak hari tidak ada saham yang lolos keduanya; hasil kosong menyebutkan saringan mana yang dapat dilonggarkan dan sampai nilai berapa.',
      'Use it for a short list that passes two tests at once, one statistical and one technical, for swing trades of up to 20 trading days. On many days no stock passes both; an empty result says which filters to loosen, and to what value.',
    ),
    how: new Localised(
      'Pilih strategi lebih dulu. Inverse Signal mengurutkan menurut probabilitas yang dikurangi bila sinyalnya sudah ramai, yaitu sejak min_signals sinyal; saham tanpa sinyal pun diterima. Gated mengurutkan menurut probabilitas saja; sinyal hanya menjadi syarat. Hybrid Score menjumlahkan keduanya menurut prob_weight. Intersection hanya menerima saham yang termasuk probabilitas tertinggi, sebanyak dua kali max_picks, dan lolos Model D beserta saringan penjualnya, lalu mengurutkan menurut rata-rata kedua peringkat dengan bobot prob_weight. Compare All menjalankan keempatnya dan mendahulukan saham yang dipilih paling banyak strategi. Bukti bahwa sinyal yang sepi lebih baik itu lemah: pada data historis saham dengan tiga atau empat sinyal sedikit lebih sering berhasil, jadi signal_penalty 0 juga pilihan yang wajar. Turunkan min_probability sedikit demi sedikit bila hasil kosong, dan sesuaikan target_gain serta stop_loss dengan rencana transaksi Anda.',
      'Choose the strategy first. Inverse Signal ranks by probability, reduced for stocks with min_signals signals or more; stocks without signals qualify too. Gated ranks by probability alone; signals are only a condition. Hybrid Score is the weighted sum of both, by prob_weight. Intersection takes only stocks that are among the 2 × max_picks highest probabilities and that pass Model D with its seller filter, and ranks them by the average of both ranks, weighted by prob_weight. Compare All runs all four and puts the stocks that most strategies pick first. The evidence that fewer signals are better is weak: in historical data, stocks with three or four signals succeeded slightly more often, so signal_penalty 0 is also reasonable. If the result is empty, lower min_probability step by step. Set target_gain and stop_loss to match your own trading plan.',
    ),
  },
  picks: true,
  learns: true,
  leastDays: daysNeeded,
  learnsFrom: () => ({ trainDays: TRAIN_DAYS, horizonDays: HORIZON_DAYS }),
  examples: (): ExampleOf<typeof params>[] => [
    { params: LOOSE },
    { params: { ...LOOSE, strategy: COMPARE_ALL } },
    { view: 'compact', params: LOOSE },
    { view: 'compact', params: { min_probability: 100 } },
  ],
  screen: () => import('./screen.ts'),
  results: () => import('./result.ts'),
});

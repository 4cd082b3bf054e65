import { Localised } from '#shared/text/localised.ts';
import { ENTRY_TEXT, PROBABILITY_TEXT } from '../learnt/explanation.ts';
import { leastDays } from '../learnt/history.ts';
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

/** Trading days after which a position is closed. */
export const HORIZON_DAYS = 20;
/** Trading days learnt from. */
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
    meaning: new Localised(
      'Jumlah sinyal teknikal dari empat: Stochastic, MACD, perpotongan MA, dan volume. Pada Inverse Signal angka ini bukan syarat: sejak sekian sinyal skor mulai dikurangi. Pada strategi lain, saham dengan sinyal lebih sedikit tidak diterima.',
      'How many of four technical signals: Stochastic, MACD, crossing of averages, and volume. In Inverse Signal this is no demand: from so many signals on the score falls. In the other strategies stocks with fewer signals are not taken.',
    ),
  }),
  prob_weight: float({
    default: 0.6,
    minimum: 0.3,
    maximum: 0.8,
    meaning: new Localised(
      'Bobot probabilitas dibandingkan dengan sinyal teknikal dalam urutan. Strategi Gated tidak memakainya, karena mengurutkan menurut probabilitas saja.',
      'Weight of the probability against the technical signals in the order. Gated does not use it, since it orders by probability alone.',
    ),
  }),
  signal_penalty: float({
    default: 0.3,
    minimum: 0,
    maximum: 0.5,
    meaning: new Localised(
      'Pengurang skor untuk saham yang sinyalnya sudah ramai. Hanya berlaku pada strategi Inverse Signal. Compare All menjalankan strategi itu juga, sehingga urutannya ikut berubah.',
      'By how much the score of a stock with many signals falls. It affects only the strategy Inverse Signal. Compare All runs that strategy too, so its order changes as well.',
    ),
  }),
  strategy: word([...STRATEGIES, COMPARE_ALL], {
    default: 'Inverse Signal',
    meaning: new Localised(
      'Cara menggabungkan probabilitas dan sinyal dalam urutan. Compare All menjalankan keempat strategi sekaligus.',
      'How probability and signals make the order. Compare All runs the four strategies and puts first what most of them pick.',
    ),
  }),
  target_gain: targetGain({ default: 0.1, minimum: 0.05, maximum: 0.3 }),
  stop_loss: stopLoss,
  max_picks: maxPicks({ default: 10, maximum: 20 }),
};

export type CombinedParams = ParamsOf<typeof params>;

/** Floors low enough for a small market to have picks. */
const LOOSE = { ...LOW_FLOORS, min_probability: 40, min_signals: 1 };

export const combined: Model = defineModel({
  id: 'model_f_combined',
  name: 'Model F: Combined ML + Signals',
  category: 'swing',
  version: 'v1',
  params,
  views: ['full', 'compact'],
  explanation: {
    what: new Localised(
      `Model F menggabungkan skor probabilitas dan jumlah sinyal teknikal. Probabilitas berasal dari model statistik yang dilatih ulang pada setiap perhitungan dengan 500 hari bursa terakhir; ia menilai seberapa mungkin saham mencapai target sebelum menyentuh batas kerugian dalam 20 hari bursa. Sinyalnya sama dengan Model D: Stochastic, MACD, perpotongan MA, dan volume 1,5 kali rata-rata, masing-masing dalam lima hari bursa terakhir. Batas min_probability berlaku pada setiap strategi; min_signals menjadi syarat pada semua strategi kecuali Inverse Signal. ${PROBABILITY_TEXT.in.id} ${ENTRY_TEXT.in.id} Tingkat keberhasilan sebenarnya di luar data latih ditampilkan pada model_quality.`,
      `Model F puts a probability score and a count of technical signals together. The probability comes from a statistical model that is retrained in each run on the last 500 trading days; it says how likely a stock is to reach its target before it touches the stop within 20 trading days. The signals are those of Model D: Stochastic, MACD, crossing of averages, and a volume of 1.5 times its average, each within the last five trading days. The bound min_probability holds in every strategy; min_signals is a condition in all strategies but Inverse Signal. ${PROBABILITY_TEXT.in.en} ${ENTRY_TEXT.in.en} How often its picks really succeeded outside the training data is shown in model_quality.`,
    ),
    when: new Localised(
      'Cocok bila Anda menginginkan daftar pendek yang lolos dua ujian sekaligus, statistik dan teknikal, untuk swing sampai 20 hari bursa. Pada banyak hari tidak ada saham yang lolos keduanya; hasil kosong menyebutkan saringan mana yang dapat dilonggarkan dan sampai nilai berapa.',
      'Fits where you want a short list that passes two tests at once, a statistical and a technical one, for swings of up to 20 trading days. On many days no stock passes both; an empty result names the filters that can be loosened, and to what.',
    ),
    how: new Localised(
      'Pilih strategi lebih dulu. Inverse Signal mengurutkan menurut probabilitas yang dikurangi bila sinyalnya sudah ramai, yaitu sejak min_signals sinyal; saham tanpa sinyal pun diterima. Gated mengurutkan menurut probabilitas saja; sinyal hanya menjadi syarat. Hybrid Score menjumlahkan keduanya menurut prob_weight. Intersection hanya menerima saham yang termasuk probabilitas tertinggi, sebanyak dua kali max_picks, dan lolos Model D beserta saringan penjualnya, lalu mengurutkan menurut rata-rata kedua peringkat dengan bobot prob_weight. Compare All menjalankan keempatnya dan mendahulukan saham yang dipilih paling banyak strategi. Bukti bahwa sinyal yang sepi lebih baik itu lemah: pada data historis saham dengan tiga atau empat sinyal sedikit lebih sering berhasil, jadi signal_penalty 0 juga pilihan yang wajar. Turunkan min_probability sedikit demi sedikit bila hasil kosong, dan sesuaikan target_gain serta stop_loss dengan rencana transaksi Anda.',
      'Choose the strategy first. Inverse Signal orders by the probability, lowered where signals are already many, that is from min_signals signals on; stocks without signals are taken too. Gated orders by the probability alone; signals are only a condition. Hybrid Score adds both up by prob_weight. Intersection takes only stocks that are among the highest probabilities, twice max_picks of them, and that pass Model D with its seller filter, and orders them by the mean of both ranks, weighted by prob_weight. Compare All runs all four and puts first the stocks that most strategies pick. The evidence that few signals are better is weak: in historical data stocks with three or four signals succeeded slightly more often, so signal_penalty 0 is a reasonable choice too. Lower min_probability little by little where the result is empty, and set target_gain and stop_loss to your own plan of trading.',
    ),
  },
  learns: true,
  leastDays: () => leastDays(HORIZON_DAYS),
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

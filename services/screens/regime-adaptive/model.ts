import { ENTRY_TEXT, PROBABILITY_TEXT } from '../learnt/explanation.ts';
import { defineModel, LOW_FLOORS, type Model } from '../model.ts';
import {
  analysisDate,
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
  regime: word(['auto', 'bull', 'sideways', 'bear'], {
    default: 'auto',
    description:
      'Kondisi pasar yang dipakai. Pilih auto agar model membacanya sendiri dari data pada hari analisis. Pada bull, saham yang jauh di bawah puncak 60 harinya dilewatkan; pada sideways, saham yang tinggi dalam rentangnya; pada bear, probabilitas minimum naik 5 poin dan jumlah saham terbanyak menjadi separuh.',
  }),
  min_price: minPrice({ default: 200, minimum: 50, maximum: 10_000 }),
  min_daily_val: minDailyVal(5_000_000_000),
  min_probability: minProbability(60),
  target_gain: targetGain({ default: 0.08, minimum: 0.03, maximum: 0.3 }),
  stop_loss: stopLoss,
  horizon_days: integer({
    default: 20,
    minimum: 5,
    maximum: 40,
    description: 'Lama posisi terpanjang dalam hari bursa sebelum dianggap tidak mencapai target.',
  }),
  train_days: trainDays,
  max_picks: maxPicks({ default: 10, maximum: 20 }),
};

export type RegimeAdaptiveParams = ParamsOf<typeof params>;

export const regimeAdaptive: Model = defineModel({
  id: 'regime_adaptive_v6',
  name: 'Model A: Regime Adaptive',
  category: 'swing',
  version: 'v6',
  params,
  views: ['full'],
  explanation: {
    what: `Model A membaca kondisi pasar lebih dulu (naik, mendatar, atau turun) dari luasnya kenaikan saham likuid dan arah indeks, lalu menyesuaikan saringan dan urutannya. Sebuah model statistik dilatih ulang pada setiap perhitungan dengan data sampai tanggal analisis; ia menilai seberapa mungkin setiap saham mencapai target sebelum menyentuh batas kerugian. Pasar naik mendahulukan saham yang memimpin dan mendekati puncak 60 hari dengan volume membesar, dan melewatkan seperempat saham yang paling jauh di bawah puncaknya; pasar mendatar mendahulukan saham di tepi bawah rentangnya yang dibeli asing, dan melewatkan seperempat saham yang paling tinggi dalam rentangnya; pasar turun mendahulukan saham yang tenang, lebih kuat daripada pasar, dan diakumulasi asing. Saat pasar turun, probabilitas minimum naik 5 poin dan jumlah saham terbanyak menjadi separuh. ${PROBABILITY_TEXT} ${ENTRY_TEXT} Tingkat keberhasilan sebenarnya di luar data latih ditampilkan pada model_quality.`,
    when: 'Cocok untuk swing 1-4 minggu bila Anda ingin saringan yang ikut berhati-hati saat pasar melemah. Daftarnya pendek, dan pada hari ketika tidak ada saham yang menonjol hasilnya kosong; itu juga sebuah jawaban.',
    how: 'Biarkan regime pada auto, kecuali Anda punya pandangan sendiri tentang arah pasar; regime yang Anda pilih menggantikan bacaan model beserta saringannya. Gaya tiap kondisi pasar menentukan seperlima skor; porsi yang lebih besar memilih lebih buruk pada data historis. Sesuaikan target_gain, stop_loss, dan horizon_days dengan cara Anda bertransaksi, karena ketiganya menentukan apa yang dipelajari model. train_days yang panjang membuat hasil lebih stabil, yang pendek lebih cepat mengikuti pasar. Turunkan min_probability sedikit demi sedikit bila hasil kosong, dan naikkan min_daily_val bila Anda bertransaksi dalam jumlah besar.',
  },
  learns: true,
  examples: () => [{ params: { ...LOW_FLOORS, min_probability: 40 } }],
  screen: () => import('./screen.ts'),
  results: () => import('./result.ts'),
});

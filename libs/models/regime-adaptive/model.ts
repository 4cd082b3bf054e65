import { Localised } from '#foundation/text/localised.ts';
import { ENTRY_TEXT, PROBABILITY_TEXT } from '../trained/explanation.ts';
import { defineModel, LOW_FLOORS, type Model } from '../model/model.ts';
import { ID, VERSION, params, daysNeeded } from './params.ts';

export const regimeAdaptive: Model = defineModel({
  id: ID,
  name: 'Model A: Regime Adaptive',
  category: 'swing',
  version: VERSION,
  params,
  views: ['full'],
  explanation: {
    what: new Localised(
      `Model A membaca kondisi pasar lebih dulu (naik, mendatar, atau turun) dari luasnya kenaikan saham likuid dan arah indeks, lalu menyesuaikan saringan dan urutannya. Sebuah model statistik dilatih ulang pada setiap perhitungan dengan data sampai tanggal analisis; ia menilai seberapa mungkin setiap saham mencapai target sebelum menyentuh batas kerugian. Pasar naik mendahulukan saham yang memimpin dan mendekati puncak 60 hari dengan volume membesar, dan melewatkan seperempat saham yang paling jauh di bawah puncaknya; pasar mendatar mendahulukan saham di tepi bawah rentangnya yang dibeli asing, dan melewatkan seperempat saham yang paling tinggi dalam rentangnya; pasar turun mendahulukan saham yang tenang, lebih kuat daripada pasar, dan diakumulasi asing. Saat pasar turun, probabilitas minimum naik 5 poin dan jumlah saham terbanyak menjadi separuh. ${PROBABILITY_TEXT.in.id} ${ENTRY_TEXT.in.id} Tingkat keberhasilan sebenarnya di luar data latih ditampilkan pada model_quality.`,
      `Model A first determines the market regime (rising, sideways, or falling) from how many liquid stocks rise and from the direction of the index, and then adapts its filters and ranking. A statistical model is retrained in each run with data up to the day of the analysis; it estimates how likely each stock is to reach its target before its stop. A rising market favours leading stocks near their 60-day high with growing volume, and skips the quarter furthest below their high; a sideways market favours stocks at the lower edge of their range that foreigners buy, and skips the quarter highest in their range; a falling market favours stocks that are calm, stronger than the market, and accumulated by foreigners. In a falling market the minimum probability rises by 5 points, and at most half as many stocks are returned. ${PROBABILITY_TEXT.in.en} ${ENTRY_TEXT.in.en} model_quality shows how often its picks actually succeeded outside the training data.`,
    ),
    when: new Localised(
      'Cocok untuk swing 1-4 minggu bila Anda ingin saringan yang ikut berhati-hati saat pasar melemah. Daftarnya pendek, dan pada hari ketika tidak ada saham yang menonjol hasilnya kosong; itu juga sebuah jawaban.',
      'Use it for swing trades of 1 to 4 weeks when you want a filter that becomes more careful as the market weakens. Its list is short. On a day on which no stock stands out the result is empty, which is an answer too.',
    ),
    how: new Localised(
      'Biarkan regime pada auto, kecuali Anda punya pandangan sendiri tentang arah pasar; regime yang Anda pilih menggantikan bacaan model beserta saringannya. Gaya tiap kondisi pasar menentukan seperlima skor; porsi yang lebih besar memilih lebih buruk pada data historis. Sesuaikan target_gain, stop_loss, dan horizon_days dengan cara Anda bertransaksi, karena ketiganya menentukan apa yang dipelajari model. train_days yang panjang membuat hasil lebih stabil, yang pendek lebih cepat mengikuti pasar. Turunkan min_probability sedikit demi sedikit bila hasil kosong, dan naikkan min_daily_val bila Anda bertransaksi dalam jumlah besar.',
      'Leave regime at auto unless you have your own view of the market; the regime that you choose replaces the one that the model determines, and brings its filters. The style of each regime makes up a fifth of the score; a larger share picked worse in historical data. Set target_gain, stop_loss, and horizon_days to match how you trade, because these three determine what the model is trained for. A long train_days makes results steadier, a short one follows the market faster. If the result is empty, lower min_probability step by step. Raise min_daily_val if you trade large amounts.',
    ),
  },
  picks: true,
  learns: true,
  leastDays: daysNeeded,
  learnsFrom: ({ train_days, horizon_days }) => ({ trainDays: train_days, horizonDays: horizon_days }),
  examples: () => [{ params: { ...LOW_FLOORS, min_probability: 40 } }],
  screen: () => import('./screen.ts'),
  results: () => import('./result.ts'),
});

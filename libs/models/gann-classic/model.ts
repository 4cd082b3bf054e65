import { Localised } from '#foundation/text/localised.ts';
import { ENTRY_TEXT, PROBABILITY_TEXT } from '../trained/explanation.ts';
import { defineModel, LOW_FLOORS, type Model } from '../model/model.ts';
import { ID, VERSION, HORIZON_DAYS, TRAIN_DAYS, params, daysNeeded } from './params.ts';

export const gannClassic: Model = defineModel({
  id: ID,
  name: 'Model B: Cycle Analysis',
  category: 'swing',
  version: VERSION,
  params,
  views: ['full'],
  explanation: {
    what: new Localised(
      `Model B mencari saham yang mendekati titik balik menurut siklus waktu dan level harga, lalu disaring dengan model statistik. Siklus hanya alat bantu pengaturan waktu, bukan kepastian. Skor siklus (0-100) adalah jumlah dari waktu (40), yaitu seberapa tepat hari ini dengan panjang siklus sejak salah satu dari tiga titik balik terakhir; harga (35), yaitu kedekatan harga penutupan dengan level Square of Nine dari dasar dan puncak terakhir; serta konfirmasi (25), yaitu harga berbalik naik dari titik terendah (10), volume di atas rata-rata saat naik (10), dan harga di atas garis Gann 1x1 (5). Saham yang mencapai skor minimum diurutkan menurut probabilitas dari model statistik, yang dilatih ulang pada setiap perhitungan dengan unsur siklus di antara masukannya. ${PROBABILITY_TEXT.in.id} ${ENTRY_TEXT.in.id} Metode Gann tidak memiliki dukungan akademis. Pada data bursa Januari 2020 sampai Mei 2024, saham dengan skor siklus 50 ke atas mencapai target sebelum batas rugi dalam 25,9 persen kejadian, hampir sama dengan semua saham likuid (25,8 persen).`,
      `Model B looks for stocks near a turning point by time cycles and price levels, and then filters them with a statistical model. Cycles only help with timing; they are not a certainty. The cycle score (0 to 100) is the sum of time (40), how exactly today matches a cycle length since one of the last three turning points; price (35), how near the close is to a Square of Nine level from the last low and high; and confirmation (25): the price turns up from its lowest point (10), the volume is above average while it rises (10), and the price is above the Gann line 1x1 (5). Stocks that reach the minimum score are ranked by the probability of a statistical model, which is retrained in each run with cycle measures among its inputs. ${PROBABILITY_TEXT.in.en} ${ENTRY_TEXT.in.en} Gann’s method has no academic support. In exchange data from January 2020 to May 2024, stocks with a cycle score of 50 and above reached the target before the stop in 25.9 percent of the cases, nearly the same as all liquid stocks (25.8 percent).`,
    ),
    when: new Localised(
      'Cocok ketika Anda sudah tertarik pada suatu saham dan ingin menunggu waktu masuk yang lebih baik, terutama setelah penurunan yang panjang. Kurang cocok sebagai satu-satunya alasan membeli, karena skor siklus sendiri tidak terbukti memberi keunggulan.',
      'Use it when you already have a stock in mind and want to wait for a better entry, especially after a long decline. It is less suitable as the only reason to buy, because the cycle score alone has not been shown to give an advantage.',
    ),
    how: new Localised(
      'Mulailah dengan nilai bawaan dan biarkan use_ml aktif, karena yang membedakan peluang adalah model statistik, bukan skor siklus. Perkecil toleransi siklus dan toleransi harga, atau naikkan min_cycle_score, untuk hasil yang lebih sedikit tetapi lebih dekat dengan aturan Gann. Naikkan pivot_window bila hanya ingin menghitung dari titik balik besar. Pada hasil, Next Turn Date adalah tanggal kalender jatuh tempo siklus berikutnya dan dapat jatuh pada hari libur bursa; Sq9 Support dan Sq9 Resistance adalah level terdekat di bawah dan di atas harga, dibulatkan menjauhi harga. Tingkat keberhasilan sebenarnya di luar data latih ditampilkan pada model_quality; dengan use_ml false angka itu berasal dari hari-hari lampau yang lolos saringan yang sama.',
      'Begin with the defaults and leave use_ml on, because it is the statistical model that tells chances apart, not the cycle score. Lower the tolerances of cycle and price, or raise min_cycle_score, for fewer results that are closer to Gann’s rules. Raise pivot_window to count from large turns only. In the result Next Turn Date is the calendar date on which the next cycle is due and may fall on a holiday of the exchange; Sq9 Support and Sq9 Resistance are the nearest levels below and above the price, rounded away from it. How often its picks really succeeded outside the training data is shown in model_quality; with use_ml false that figure comes from past days that passed the same filters.',
    ),
  },
  picks: true,
  learns: true,
  leastDays: daysNeeded,
  learnsFrom: ({ use_ml }) => (use_ml ? { trainDays: TRAIN_DAYS, horizonDays: HORIZON_DAYS } : undefined),
  examples: () => [
    { params: { ...LOW_FLOORS, min_probability: 40, min_cycle_score: 20 } },
    { params: { min_cycle_score: 20, use_ml: false } },
  ],
  screen: () => import('./screen.ts'),
  results: () => import('./result.ts'),
});

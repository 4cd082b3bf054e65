import { ENTRY_TEXT, PROBABILITY_TEXT } from '../learnt/explanation.ts';
import { defineModel, LOW_FLOORS, type Model } from '../model.ts';
import {
  analysisDate,
  boolean,
  float,
  integer,
  integerItem,
  list,
  maxPicks,
  minDailyVal,
  minPrice,
  minProbability,
  stopLoss,
  targetGain,
  type ParamsOf,
} from '../parameters.ts';

const MAX_CYCLE_DAYS = 720;
const CYCLE_MISTAKE = `must be a whole number of days from 1 to ${MAX_CYCLE_DAYS}`;

export const params = {
  analysis_date: analysisDate,
  min_price: minPrice({ default: 200, minimum: 50, maximum: 10_000 }),
  min_daily_val: minDailyVal(5_000_000_000),
  pivot_window: integer({
    default: 10,
    minimum: 5,
    maximum: 30,
    description:
      'Jumlah hari perdagangan di kiri dan kanan yang menentukan sebuah titik puncak atau dasar. Nilai besar hanya menyisakan titik balik utama, tetapi titik itu baru dikenali setelah hari sebanyak ini berlalu.',
  }),
  cycle_tolerance: integer({
    default: 2,
    minimum: 0,
    maximum: 5,
    description:
      'Selisih hari yang masih dihitung sebagai jatuh tempo siklus; makin dekat, makin tinggi nilainya.',
  }),
  price_tolerance_pct: float({
    default: 1.5,
    minimum: 0.5,
    maximum: 5,
    description:
      'Jarak harga penutupan ke level Square of Nine terdekat yang masih dianggap dekat, dalam persen.',
  }),
  min_cycle_score: float({
    default: 50,
    minimum: 0,
    maximum: 100,
    description: 'Skor siklus minimum (0-100) agar saham lolos.',
  }),
  cycles: list(integerItem({ minimum: 1, maximum: MAX_CYCLE_DAYS }, CYCLE_MISTAKE), {
    default: [45, 90, 144, 180, 360],
    description:
      'Daftar panjang siklus dalam hari, dihitung dari tiga titik balik terakhir dalam hari kalender maupun hari bursa. Bila kosong, waktu tidak dinilai dan skor hanya berasal dari harga dan konfirmasi.',
  }),
  use_ml: boolean({
    default: true,
    description:
      'Apakah hasil siklus disaring lagi dengan model statistik. Bila false, tidak ada yang dipelajari: saham diurutkan menurut skor siklus dan min_probability tidak berlaku.',
  }),
  min_probability: minProbability(55),
  target_gain: targetGain({ default: 0.1, minimum: 0.05, maximum: 0.3 }),
  stop_loss: stopLoss,
  max_picks: maxPicks({ default: 10, maximum: 20 }),
};

export type GannParams = ParamsOf<typeof params>;

export const gannClassic: Model = defineModel({
  id: 'gann_classic_v7',
  name: 'Model B: Cycle Analysis',
  category: 'swing',
  version: 'v7',
  params,
  views: ['full'],
  explanation: {
    what: `Model B mencari saham yang mendekati titik balik menurut siklus waktu dan level harga, lalu disaring dengan model statistik. Siklus hanya alat bantu pengaturan waktu, bukan kepastian. Skor siklus (0-100) adalah jumlah dari waktu (40), yaitu seberapa tepat hari ini dengan panjang siklus sejak salah satu dari tiga titik balik terakhir; harga (35), yaitu kedekatan harga penutupan dengan level Square of Nine dari dasar dan puncak terakhir; serta konfirmasi (25), yaitu harga berbalik naik dari titik terendah (10), volume di atas rata-rata saat naik (10), dan harga di atas garis Gann 1x1 (5). Saham yang mencapai skor minimum diurutkan menurut probabilitas dari model statistik, yang dilatih ulang pada setiap perhitungan dengan unsur siklus di antara masukannya. ${PROBABILITY_TEXT} ${ENTRY_TEXT} Metode Gann tidak memiliki dukungan akademis. Pada data bursa Januari 2020 sampai Mei 2024, saham dengan skor siklus 50 ke atas mencapai target sebelum batas rugi dalam 25,9 persen kejadian, hampir sama dengan semua saham likuid (25,8 persen).`,
    when: 'Cocok ketika Anda sudah tertarik pada suatu saham dan ingin menunggu waktu masuk yang lebih baik, terutama setelah penurunan yang panjang. Kurang cocok sebagai satu-satunya alasan membeli, karena skor siklus sendiri tidak terbukti memberi keunggulan.',
    how: 'Mulailah dengan nilai bawaan dan biarkan use_ml aktif, karena yang membedakan peluang adalah model statistik, bukan skor siklus. Perkecil toleransi siklus dan toleransi harga, atau naikkan min_cycle_score, untuk hasil yang lebih sedikit tetapi lebih dekat dengan aturan Gann. Naikkan pivot_window bila hanya ingin menghitung dari titik balik besar. Pada hasil, Next Turn Date adalah tanggal kalender jatuh tempo siklus berikutnya dan dapat jatuh pada hari libur bursa; Sq9 Support dan Sq9 Resistance adalah level terdekat di bawah dan di atas harga, dibulatkan menjauhi harga. Tingkat keberhasilan sebenarnya di luar data latih ditampilkan pada model_quality; dengan use_ml false angka itu berasal dari hari-hari lampau yang lolos saringan yang sama.',
  },
  learns: true,
  examples: () => [
    { params: { ...LOW_FLOORS, min_probability: 40, min_cycle_score: 20 } },
    { params: { min_cycle_score: 20, use_ml: false } },
  ],
  screen: () => import('./screen.ts'),
  results: () => import('./result.ts'),
});

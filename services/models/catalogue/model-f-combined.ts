import {
  maxPicks,
  minDailyVal,
  minPrice,
  minProbability,
  stopLoss,
  targetGain,
} from './common-parameters.ts';
import type { ModelDefinition } from './model-definition.ts';

export const modelFCombined: ModelDefinition = {
  id: 'model_f_combined',
  name: 'Model F: Combined ML + Signals',
  category: 'swing',
  version: 'v1',
  views: ['full', 'compact'],
  params: {
    min_price: minPrice({ default: 500, min: 100, max: 5000 }),
    min_daily_val: { ...minDailyVal, default: 10_000_000_000 },
    min_probability: minProbability(65),
    min_signals: {
      type: 'integer',
      default: 2,
      min: 1,
      max: 4,
      description: 'Jumlah sinyal teknikal minimum dari empat: Stochastic, MACD, perpotongan MA, dan volume.',
    },
    prob_weight: {
      type: 'float',
      default: 0.6,
      min: 0.3,
      max: 0.8,
      description:
        'Bobot probabilitas dibandingkan dengan sinyal teknikal dalam urutan. Strategi Gated tidak memakainya, karena mengurutkan menurut probabilitas saja.',
    },
    signal_penalty: {
      type: 'float',
      default: 0.3,
      min: 0,
      max: 0.5,
      description:
        'Pengurang skor untuk saham yang sinyalnya sudah ramai. Hanya berlaku pada strategi Inverse Signal, juga bila Compare All menjalankannya.',
    },
    strategy: {
      type: 'string',
      default: 'Inverse Signal',
      options: ['Inverse Signal', 'Gated', 'Hybrid Score', 'Intersection', 'Compare All'],
      description:
        'Cara menggabungkan probabilitas dan sinyal dalam urutan. Compare All menjalankan keempat strategi sekaligus.',
    },
    target_gain: targetGain({ default: 0.1, min: 0.05, max: 0.3 }),
    stop_loss: stopLoss,
    max_picks: maxPicks({ default: 10, max: 20 }),
  },
  explanation: {
    what: 'Model F menggabungkan skor probabilitas dan jumlah sinyal teknikal. Probabilitas berasal dari model statistik yang dilatih ulang pada setiap perhitungan dengan 500 hari bursa terakhir; ia menilai seberapa mungkin saham mencapai target sebelum menyentuh batas kerugian dalam 20 hari bursa. Sinyalnya sama dengan Model D: Stochastic, MACD, perpotongan MA, dan volume 1,5 kali rata-rata, masing-masing dalam lima hari bursa terakhir. Batas min_probability dan min_signals berlaku pada setiap strategi. Angka probabilitas bersifat relatif: 50 berarti setara rata-rata pasar, bukan peluang pasti. Tingkat keberhasilan sebenarnya di luar data latih ditampilkan pada model_quality.',
    when: 'Cocok bila Anda menginginkan daftar pendek yang lolos dua ujian sekaligus, statistik dan teknikal, untuk swing sampai 20 hari bursa. Pada banyak hari tidak ada saham yang lolos keduanya; hasil kosong menyebutkan saringan mana yang dapat dilonggarkan dan sampai nilai berapa.',
    how: 'Pilih strategi lebih dulu. Inverse Signal mengurutkan menurut probabilitas yang dikurangi bila sinyalnya sudah ramai. Gated mengurutkan menurut probabilitas saja; sinyal hanya menjadi syarat. Hybrid Score menjumlahkan keduanya menurut prob_weight. Intersection hanya menerima saham yang termasuk probabilitas tertinggi, sebanyak dua kali max_picks, dan lolos Model D beserta saringan penjualnya, lalu mengurutkan menurut rata-rata kedua peringkat dengan bobot prob_weight. Compare All menjalankan keempatnya dan mendahulukan saham yang dipilih paling banyak strategi. Bukti bahwa sinyal yang sepi lebih baik itu lemah: pada data historis saham dengan tiga atau empat sinyal sedikit lebih sering berhasil, jadi signal_penalty 0 juga pilihan yang wajar. Turunkan min_probability sedikit demi sedikit bila hasil kosong, dan sesuaikan target_gain serta stop_loss dengan rencana transaksi Anda.',
  },
};

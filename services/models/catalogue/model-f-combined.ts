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
  isDeployed: false,
  params: {
    min_price: minPrice({ default: 500, min: 100, max: 5000 }),
    min_daily_val: { ...minDailyVal, default: 10_000_000_000 },
    min_probability: minProbability(65),
    min_signals: {
      type: 'integer',
      default: 2,
      min: 1,
      max: 4,
      description: 'Jumlah sinyal teknikal minimum dari empat.',
    },
    prob_weight: {
      type: 'float',
      default: 0.6,
      min: 0.3,
      max: 0.8,
      description: 'Bobot skor probabilitas dibandingkan dengan sinyal teknikal.',
    },
    signal_penalty: {
      type: 'float',
      default: 0.3,
      min: 0,
      max: 0.5,
      description:
        'Pengurang skor untuk saham yang sinyalnya sudah ramai. Hanya berlaku pada strategi Inverse Signal.',
    },
    strategy: {
      type: 'string',
      default: 'Inverse Signal',
      options: ['Inverse Signal', 'Gated', 'Hybrid Score', 'Intersection', 'Compare All'],
      description:
        'Cara menggabungkan probabilitas dan sinyal. Compare All menjalankan keempat strategi sekaligus.',
    },
    target_gain: targetGain({ default: 0.1, min: 0.05, max: 0.3 }),
    stop_loss: stopLoss,
    max_picks: maxPicks({ default: 10, max: 20 }),
  },
  explanation: {
    what: 'Model F menggabungkan skor probabilitas dan jumlah sinyal teknikal. Angka probabilitas bersifat relatif: 50 berarti setara rata-rata pasar, bukan peluang pasti. Tingkat keberhasilan sebenarnya di luar data latih ditampilkan pada model_quality.',
    when: 'Cocok bila Anda menginginkan daftar pendek yang lolos dua ujian sekaligus, statistik dan teknikal, untuk swing sampai 20 hari bursa.',
    how: 'Strategi Inverse Signal mengutamakan saham berpeluang baik yang sinyalnya belum ramai; Hybrid Score dan Gated lebih menghargai sinyal. Turunkan min_probability sedikit demi sedikit bila hasil kosong, dan sesuaikan target_gain serta stop_loss dengan rencana transaksi Anda.',
  },
};

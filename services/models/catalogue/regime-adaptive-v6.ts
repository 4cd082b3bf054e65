import {
  analysisDate,
  maxPicks,
  minDailyVal,
  minPrice,
  minProbability,
  stopLoss,
  targetGain,
  trainDays,
} from './common-parameters.ts';
import type { ModelDefinition } from './model-definition.ts';

export const regimeAdaptiveV6: ModelDefinition = {
  id: 'regime_adaptive_v6',
  name: 'Model A: Regime Adaptive',
  category: 'swing',
  version: 'v6',
  views: ['full'],
  isDeployed: false,
  params: {
    analysis_date: analysisDate,
    regime: {
      type: 'string',
      default: 'auto',
      options: ['auto', 'bull', 'sideways', 'bear'],
      description: 'Kondisi pasar yang dipakai. Pilih auto agar model membacanya sendiri dari data.',
    },
    min_price: minPrice({ default: 200, min: 50, max: 10_000 }),
    min_daily_val: minDailyVal,
    min_probability: minProbability(60),
    target_gain: targetGain({ default: 0.08, min: 0.03, max: 0.3 }),
    stop_loss: stopLoss,
    horizon_days: {
      type: 'integer',
      default: 20,
      min: 5,
      max: 40,
      description: 'Lama posisi terpanjang dalam hari bursa sebelum dianggap tidak mencapai target.',
    },
    train_days: trainDays,
    max_picks: maxPicks({ default: 10, max: 20 }),
  },
  explanation: {
    what: 'Model A membaca kondisi pasar lebih dulu (naik, mendatar, atau turun), lalu menyesuaikan bobot momentum, pantulan harga, dan akumulasi. Model dilatih ulang pada setiap perhitungan dengan data sampai tanggal analisis.',
    when: 'Cocok untuk swing 1-4 minggu. Saat pasar naik, model mencari saham yang memimpin; saat mendatar, saham yang memantul dari batas bawah; saat turun, saham yang bertahan lebih baik daripada pasar.',
    how: 'Biarkan regime pada auto, kecuali Anda punya pandangan sendiri tentang arah pasar. Naikkan probabilitas minimum saat pasar lemah. Sesuaikan target kenaikan dan batas kerugian dengan cara Anda bertransaksi, karena keduanya menentukan apa yang dipelajari model.',
  },
};

import {
  analysisDate,
  maxPicks,
  minDailyVal,
  minPrice,
  minProbability,
  stopLoss,
  targetGain,
} from './common-parameters.ts';
import type { ItemRule, ModelDefinition } from './model-definition.ts';

const LONGEST_CYCLE_DAYS = 720;

const cycleLength: ItemRule = (item, wrong) => {
  if (!Number.isInteger(item) || (item as number) < 1 || (item as number) > LONGEST_CYCLE_DAYS) {
    wrong([], `must be a whole number of days from 1 to ${LONGEST_CYCLE_DAYS}`);
  }
  return item;
};

export const gannClassicV7: ModelDefinition = {
  id: 'gann_classic_v7',
  name: 'Model B: Cycle Analysis',
  category: 'swing',
  version: 'v7',
  views: ['full'],
  isDeployed: false,
  params: {
    analysis_date: analysisDate,
    min_price: minPrice({ default: 200, min: 50, max: 10_000 }),
    min_daily_val: minDailyVal,
    pivot_window: {
      type: 'integer',
      default: 10,
      min: 5,
      max: 30,
      description:
        'Jumlah hari bursa di kiri dan kanan yang menentukan sebuah titik puncak atau dasar. Nilai besar hanya menyisakan titik balik utama.',
    },
    cycle_tolerance: {
      type: 'integer',
      default: 2,
      min: 0,
      max: 5,
      description: 'Selisih hari yang masih dianggap tepat pada siklus.',
    },
    price_tolerance_pct: {
      type: 'float',
      default: 1.5,
      min: 0.5,
      max: 5,
      description: 'Jarak harga ke level siklus yang masih dianggap dekat, dalam persen.',
    },
    min_cycle_score: {
      type: 'float',
      default: 50,
      min: 0,
      max: 100,
      description: 'Skor siklus minimum (0-100) agar saham lolos.',
    },
    cycles: {
      type: 'array',
      default: [45, 90, 144, 180, 360],
      description: 'Daftar panjang siklus dalam hari yang dihitung dari titik balik utama.',
      item: cycleLength,
    },
    use_ml: {
      type: 'boolean',
      default: true,
      description: 'Apakah hasil siklus disaring lagi dengan model statistik.',
    },
    min_probability: minProbability(55),
    target_gain: targetGain({ default: 0.1, min: 0.05, max: 0.3 }),
    stop_loss: stopLoss,
    max_picks: maxPicks({ default: 10, max: 20 }),
  },
  explanation: {
    what: 'Model B mencari saham yang mendekati titik balik menurut siklus waktu dan level harga, lalu disaring dengan model statistik. Siklus hanya alat bantu pengaturan waktu, bukan kepastian.',
    when: 'Cocok ketika Anda sudah tertarik pada suatu saham dan ingin menunggu waktu masuk yang lebih baik, terutama setelah penurunan yang panjang.',
    how: 'Mulailah dengan nilai bawaan. Perkecil toleransi siklus dan toleransi harga untuk hasil yang lebih sedikit tetapi lebih tepat. Biarkan use_ml aktif, karena siklus sendiri tidak terbukti memberi keunggulan tanpa saringan statistik.',
  },
};

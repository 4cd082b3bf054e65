import type { ParameterDefinition } from './model-definition.ts';

/** Parameters that mean the same in every model that has them. */

export const analysisDate: ParameterDefinition = {
  type: 'date',
  default: 'today',
  description:
    'Tanggal analisis (YYYY-MM-DD) atau today. Model memakai data sampai hari bursa terakhir pada atau sebelum tanggal ini.',
};

export const minDailyVal: ParameterDefinition = {
  type: 'integer',
  default: 5_000_000_000,
  min: 100_000_000,
  max: 100_000_000_000,
  description: 'Rata-rata nilai transaksi harian minimum selama 20 hari bursa, dalam rupiah penuh.',
};

export const minPrice = (bounds: { default: number; min: number; max: number }): ParameterDefinition => ({
  type: 'integer',
  ...bounds,
  description: 'Harga penutupan minimum dalam rupiah.',
});

export const minProbability = (defaultPct: number): ParameterDefinition => ({
  type: 'float',
  default: defaultPct,
  min: 30,
  max: 100,
  description: 'Skor probabilitas minimum dalam persen. Angka 50 berarti setara rata-rata pasar.',
});

export const targetGain = (bounds: { default: number; min: number; max: number }): ParameterDefinition => ({
  type: 'float',
  ...bounds,
  description: 'Target kenaikan harga sebagai pecahan; 0.10 berarti 10 persen.',
});

export const stopLoss: ParameterDefinition = {
  type: 'float',
  default: 0.05,
  min: 0.02,
  max: 0.15,
  description: 'Batas kerugian sebagai pecahan; 0.05 berarti 5 persen.',
};

export const trainDays: ParameterDefinition = {
  type: 'integer',
  default: 500,
  min: 250,
  max: 1000,
  description: 'Jumlah hari bursa terakhir yang dipelajari model pada setiap perhitungan.',
};

export const maxPicks = (bounds: { default: number; max: number }): ParameterDefinition => ({
  type: 'integer',
  default: bounds.default,
  min: 1,
  max: bounds.max,
  description: 'Jumlah saham terbanyak yang ditampilkan.',
});

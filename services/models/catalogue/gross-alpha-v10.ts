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

export const grossAlphaV10: ModelDefinition = {
  id: 'gross_alpha_v10',
  name: 'Model C: General Purpose',
  category: 'swing',
  version: 'v10',
  views: ['full'],
  params: {
    analysis_date: analysisDate,
    min_price: minPrice({ default: 200, min: 50, max: 10_000 }),
    min_daily_val: minDailyVal,
    flow_window: {
      type: 'integer',
      default: 10,
      min: 3,
      max: 30,
      description: 'Jumlah hari bursa terakhir yang dilihat pada transaksi broker.',
    },
    broker_group: {
      type: 'string',
      default: 'all',
      options: ['all', 'foreign', 'bandar', 'ex_retail'],
      description:
        'Kelompok broker yang dinilai: semua, asing, bandar (institusi lokal), atau semua selain ritel.',
    },
    exclude_retail_led: {
      type: 'boolean',
      default: true,
      description: 'Apakah saham yang kenaikannya terutama didorong pembelian ritel dikeluarkan.',
    },
    min_probability: minProbability(60),
    target_gain: targetGain({ default: 0.1, min: 0.05, max: 0.3 }),
    stop_loss: stopLoss,
    train_days: trainDays,
    max_picks: maxPicks({ default: 10, max: 20 }),
  },
  explanation: {
    what: 'Model C menilai momentum dari transaksi kotor tiap broker: siapa yang membeli, seberapa terpusat, dan apakah ritel berada di sisi yang berlawanan. Pembelian dan penjualan dilihat terpisah sebelum saling dikurangkan.',
    when: 'Cocok sebagai penyaring umum untuk swing 1-4 minggu, terutama di pasar tanpa arah yang jelas, ketika akumulasi sering terlihat pada broker sebelum terlihat pada harga. Memerlukan data broker yang lengkap.',
    how: 'Pilih broker_group sesuai pelaku yang ingin Anda ikuti. Jendela 5-10 hari menangkap akumulasi baru, sedangkan 20-30 hari menangkap akumulasi yang tenang dan lama. Biarkan exclude_retail_led aktif, kecuali Anda memang mencari saham yang sedang ramai.',
  },
};

import { defineModel, type Model } from '#screens/model.ts';
import { analysisDate, maxPicks, type ParamsOf } from '#screens/parameters.ts';

const params = {
  analysis_date: analysisDate,
  max_picks: maxPicks({ default: 5, maximum: 20 }),
};

export type MostTradedParams = ParamsOf<typeof params>;

/** The smallest model there can be: what a seventh one takes, and nothing else. See `seventh-model.test.ts`. */
export const mostTraded: Model = defineModel({
  id: 'most_traded_v1',
  name: 'Model G: Most Traded',
  category: 'swing',
  version: 'v1',
  params,
  views: ['full'],
  explanation: {
    what: 'Model G mengurutkan saham menurut nilai transaksi pasar reguler pada hari analisis.',
    when: 'Cocok untuk melihat saham mana yang paling ramai diperdagangkan pada suatu hari bursa.',
    how: 'Tentukan max_picks sesuai panjang daftar yang Anda perlukan, lalu jalankan model setiap sore.',
  },
  learns: false,
  examples: () => [{ params: { max_picks: 3 } }],
  screen: () => import('./screen.ts'),
  results: () => import('./result.ts'),
});

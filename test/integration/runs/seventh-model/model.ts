import { Localised } from '#foundation/text/localised.ts';
import { defineModel, type Model } from '#models/model/model.ts';
import { daysNeeded, ID, params } from './params.ts';

/** The smallest possible model, with only the parts that every model needs. See `seventh-model.test.ts`. */
export const mostTraded: Model = defineModel({
  id: ID,
  name: 'Model G: Most Traded',
  category: 'swing',
  version: 'v1',
  params,
  views: ['full'],
  explanation: {
    what: new Localised(
      'Model G mengurutkan saham menurut nilai transaksi pasar reguler pada hari analisis.',
      'Model G orders stocks by their traded value in the regular market on the day of analysis.',
    ),
    when: new Localised(
      'Cocok untuk melihat saham mana yang paling ramai diperdagangkan pada suatu hari bursa.',
      'Fits for seeing which stocks are traded most on a trading day.',
    ),
    how: new Localised(
      'Tentukan max_picks sesuai panjang daftar yang Anda perlukan, lalu jalankan model setiap sore.',
      'Set max_picks to the length of the list that you need, and run the model every afternoon.',
    ),
  },
  picks: true,
  learns: false,
  leastDays: daysNeeded,
  examples: () => [{ params: { max_picks: 3 } }],
  screen: () => import('./screen.ts'),
  results: () => import('./result.ts'),
});

import { Localised } from '#foundation/text/localised.ts';
import { defineModel, type Model } from '../model/model.ts';
import { ID, VERSION, params, daysNeeded } from './params.ts';

export const confluenceFilter: Model = defineModel({
  id: ID,
  name: 'Model D: Confluence Filter',
  category: 'swing',
  version: VERSION,
  params,
  views: ['full'],
  explanation: {
    what: new Localised(
      'Model D tidak memakai pembelajaran mesin. Saham lolos jika Stochastic, MACD, perpotongan MA, dan volume memberi sinyal searah dalam beberapa hari terakhir. Saham yang sedang didominasi penjual dikeluarkan: menurut data broker bila tersedia, atau menurut transaksi asing bila tidak.',
      'Model D uses no machine learning. A stock passes if Stochastic, MACD, moving-average crossover, and volume point in the same direction within the last few days. Stocks in which sellers currently dominate are left out, judged by broker data if available and by foreign trades otherwise.',
    ),
    when: new Localised(
      'Cocok untuk mencari awal kenaikan jangka pendek dengan aturan yang bisa diperiksa sendiri pada grafik. Hasilnya tersedia dalam hitungan detik, sehingga baik untuk daftar pantauan harian.',
      'Use it to find the start of a short-term rise by rules that you can check on a chart yourself. It answers within seconds, so it suits a daily watchlist.',
    ),
    how: new Localised(
      'Mulailah dengan dua sinyal dalam lima hari. Naikkan min_signals ke tiga untuk daftar yang lebih pendek dan lebih kuat, karena pada data historis keunggulan baru terlihat mulai tiga sinyal. Perpendek lookback agar hanya sinyal yang masih segar dihitung, dan naikkan min_daily_val bila Anda bertransaksi dalam jumlah besar.',
      'Begin with two signals within five days. Raise min_signals to three for a shorter and stronger list, because in historical data an advantage only shows from three signals on. Shorten lookback so that only fresh signals count, and raise min_daily_val if you trade in large amounts.',
    ),
  },
  picks: true,
  learns: false,
  leastDays: daysNeeded,
  examples: () => [{ params: { min_signals: 1 } }],
  screen: () => import('./screen.ts'),
  results: () => import('./result.ts'),
});

import { Localised } from '#foundation/text/localised.ts';
import { defineModel, type ExampleOf, type Model } from '../model/model.ts';
import { ID, VERSION, TRAIN_DAYS, params, daysNeeded, whyHopeless } from './params.ts';

const EXAMPLE_INPUTS = [{ pnl_input: -12.5 }, { avg_price_input: 100 }, { pnl_input: 0 }];

export const recovery: Model = defineModel({
  id: ID,
  name: 'Model E: Portfolio Recovery',
  category: 'recovery',
  version: VERSION,
  params,
  views: ['full', 'compact'],
  explanation: {
    what: new Localised(
      'Model E memperkirakan arah harga saham yang sudah Anda pegang dalam 10 sampai 40 hari bursa dan menunjukkan rentang hari yang wajar untuk mengevaluasi posisi. Pada setiap perhitungan model belajar dari saham likuid selama sekitar 750 hari bursa terakhir, lalu membagi peluang ke lima kelompok: CRASH, DECLINE, SIDEWAYS, CLIMB, dan RALLY. Batasnya -10, -3, 3, dan 10 persen untuk 20 hari, menyempit atau melebar sesuai akar panjang horizon. Target, support, dan rentang hari dibaca dari jalan harga saham-saham masa lalu yang volatilitasnya serupa: satu dari empat melampaui restore_target (untuk posisi rugi paling tinggi harga beli Anda), support_level adalah batas bawah terdekat, dan exit_window adalah saat separuh dari yang sampai ke target biasanya tiba di sana.',
      'Model E forecasts the direction of a stock that you already hold over 10 to 40 trading days, and gives a range of days in which to review the position. In each run the model is trained on liquid stocks over about the last 750 trading days, and then gives a probability for each of five groups: CRASH, DECLINE, SIDEWAYS, CLIMB, and RALLY. Their bounds are -10, -3, 3, and 10 percent for 20 days, and scale with the square root of the horizon. Target, support, and range of days come from the price paths of past stocks with similar volatility: one in four exceeds restore_target (for a losing position, at most your purchase price), support_level is the nearest lower bound, and exit_window is when half of those that reach the target usually do so.',
    ),
    when: new Localised(
      'Cocok saat Anda memegang saham yang sedang rugi atau untung dan ingin menimbang apakah menunggu masih masuk akal, bukan untuk mencari saham baru. Kekuatan model terletak pada lebar kemungkinan: ia mengenali saham yang tenang dan yang liar, sedangkan arah naik atau turun jauh lebih sulit ditebak. Seberapa besar kelebihannya dibandingkan sekadar mengetahui frekuensi rata-rata pasar ditampilkan pada model_quality (brier_skill di atas 0 berarti lebih baik).',
      'Use it when you hold a stock at a loss or a profit and consider whether waiting still makes sense. It does not find new stocks. The model is best at the range of outcomes: it tells calm stocks from volatile ones, while the direction is much harder to predict. model_quality shows how much better it is than the average frequencies of the market (brier_skill above 0 is better).',
    ),
    how: new Localised(
      'Isi setiap posisi dengan kode saham serta salah satu dari persentase untung/rugi atau harga beli rata-rata. Pilih horizon sesuai lama Anda bersedia menunggu; makin panjang horizon, makin lebar kemungkinan hasilnya. Outlook menjadi BULLISH atau BEARISH bila peluang naik dan turun berselisih sedikitnya 15 poin, dan posisi disebut winner atau loser mulai untung atau rugi 2 persen. Dua posisi pada saham yang sama dinilai masing-masing. Saham yang tidak dikenal, tidak diperdagangkan dalam lima hari bursa terakhir, atau terlalu jarang diperdagangkan dilewati dan muncul pada skipped beserta alasannya.',
      'Enter each position with its ticker and either its profit or loss in percent or its average purchase price. Choose the horizon by how long you are prepared to wait; the longer it is, the wider the range of outcomes. The outlook is BULLISH or BEARISH if the chances of up and down differ by at least 15 points, and a position counts as a winner or loser from a profit or loss of 2 percent. Two positions in the same stock are assessed separately. Stocks that are unknown, were not traded within the last five trading days, or trade too rarely are listed in skipped, with the reason.',
    ),
  },
  picks: false,
  learns: true,
  leastDays: daysNeeded,
  learnsFrom: ({ horizon }) => ({ trainDays: TRAIN_DAYS, horizonDays: horizon }),
  whyHopeless,
  examples: (tickers): ExampleOf<typeof params>[] => {
    const positions = EXAMPLE_INPUTS.map((input, i) => ({ ticker: tickers[i]!, ...input }));
    return [{ params: { positions } }, { view: 'compact', params: { positions, horizon: 10 } }];
  },
  screen: () => import('./screen.ts'),
  results: () => import('./result.ts'),
});

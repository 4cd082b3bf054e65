import { Localised } from '#shared/text/localised.ts';
import { leastDays } from '../learnt/history.ts';
import { defineModel, type ExampleOf, type Model } from '../model.ts';
import {
  analysisDate,
  choice,
  list,
  numberItem,
  objectItem,
  textItem,
  type ParamsOf,
} from '../parameters.ts';

/** Trading days learnt from. */
export const TRAIN_DAYS = 750;

/** Bounds within which profit and average price can be computed from each other as finite numbers. */
const MAX_PNL_PCT = 100_000;
const MIN_AVG_PRICE_IDR = 0.01;
const MAX_AVG_PRICE_IDR = 1e9;

const position = objectItem(
  { ticker: textItem('^[A-Za-z0-9-]{1,12}$', 'must be a ticker code') },
  {
    pnl_input: numberItem(
      { exclusiveMinimum: -100, maximum: MAX_PNL_PCT },
      `must be a number above -100 and at most ${MAX_PNL_PCT}, in percent`,
    ),
    avg_price_input: numberItem(
      { minimum: MIN_AVG_PRICE_IDR, maximum: MAX_AVG_PRICE_IDR },
      `must be a number from ${MIN_AVG_PRICE_IDR} to ${MAX_AVG_PRICE_IDR}, in IDR`,
    ),
  },
  {
    mistake: 'must be an object with ticker and either pnl_input or avg_price_input',
    notExactlyOne: 'must have exactly one of pnl_input and avg_price_input',
  },
);

export const params = {
  analysis_date: analysisDate,
  horizon: choice([10, 20, 30, 40], {
    default: 20,
    meaning: new Localised(
      'Jangka perkiraan dalam hari bursa.',
      'How far the forecast looks ahead, in trading days.',
    ),
  }),
  positions: list(position, {
    default: [],
    meaning: new Localised(
      'Saham yang dipegang. Setiap isi memuat ticker dan salah satu dari pnl_input (persen untung atau rugi, negatif berarti rugi) atau avg_price_input (harga beli rata-rata).',
      'Stocks that are held. Each has its ticker and either pnl_input (percent won or lost, negative for a loss) or avg_price_input (average price paid).',
    ),
  }),
};

export type RecoveryParams = ParamsOf<typeof params>;
/** A position as the caller sent it. */
export type PositionInput = RecoveryParams['positions'][number];

const NO_POSITIONS = new Localised(
  'Belum ada posisi yang dimasukkan. Isi minimal satu saham beserta persentase untung/rugi atau harga beli rata-rata.',
  'There are no positions yet. Give at least one stock with its profit or loss in percent or the average price paid.',
);

const EXAMPLE_INPUTS = [{ pnl_input: -12.5 }, { avg_price_input: 100 }, { pnl_input: 0 }];

export const recovery: Model = defineModel({
  id: 'recovery_v4',
  name: 'Model E: Portfolio Recovery',
  category: 'recovery',
  version: 'v4',
  params,
  views: ['full', 'compact'],
  explanation: {
    what: new Localised(
      'Model E memperkirakan arah harga saham yang sudah Anda pegang dalam 10 sampai 40 hari bursa dan menunjukkan rentang hari yang wajar untuk mengevaluasi posisi. Pada setiap perhitungan model belajar dari saham likuid selama sekitar 750 hari bursa terakhir, lalu membagi peluang ke lima kelompok: CRASH, DECLINE, SIDEWAYS, CLIMB, dan RALLY. Batasnya -10, -3, 3, dan 10 persen untuk 20 hari, menyempit atau melebar sesuai akar panjang horizon. Target, support, dan rentang hari dibaca dari jalan harga saham-saham masa lalu yang volatilitasnya serupa: satu dari empat melampaui restore_target (untuk posisi rugi paling tinggi harga beli Anda), support_level adalah batas bawah terdekat, dan exit_window adalah saat separuh dari yang sampai ke target biasanya tiba di sana.',
      'Model E forecasts which way the price of a stock that you already hold goes within 10 to 40 trading days, and shows a range of days on which to review the position. In each run the model learns from liquid stocks over about the last 750 trading days, and then divides the chance among five groups: CRASH, DECLINE, SIDEWAYS, CLIMB, and RALLY. Their bounds are -10, -3, 3, and 10 percent for 20 days, and narrow or widen with the square root of the horizon. Target, support, and range of days are read from the price paths of past stocks of similar volatility: one in four goes beyond restore_target (for a losing position at most the price that you paid), support_level is the nearest lower bound, and exit_window is when half of those that reach the target usually get there.',
    ),
    when: new Localised(
      'Cocok saat Anda memegang saham yang sedang rugi atau untung dan ingin menimbang apakah menunggu masih masuk akal, bukan untuk mencari saham baru. Kekuatan model terletak pada lebar kemungkinan: ia mengenali saham yang tenang dan yang liar, sedangkan arah naik atau turun jauh lebih sulit ditebak. Seberapa besar kelebihannya dibandingkan sekadar mengetahui frekuensi rata-rata pasar ditampilkan pada model_quality (brier_skill di atas 0 berarti lebih baik).',
      'Fits where you hold a stock at a loss or a profit and weigh whether waiting still makes sense, and not for finding new stocks. The model’s strength is how wide the possibilities are: it tells calm stocks from wild ones, while up or down is much harder to tell. How much better it is than knowing the average frequencies of the market is shown in model_quality (brier_skill above 0 is better).',
    ),
    how: new Localised(
      'Isi setiap posisi dengan kode saham serta salah satu dari persentase untung/rugi atau harga beli rata-rata. Pilih horizon sesuai lama Anda bersedia menunggu; makin panjang horizon, makin lebar kemungkinan hasilnya. Outlook menjadi BULLISH atau BEARISH bila peluang naik dan turun berselisih sedikitnya 15 poin, dan posisi disebut winner atau loser mulai untung atau rugi 2 persen. Dua posisi pada saham yang sama dinilai masing-masing. Saham yang tidak dikenal, tidak diperdagangkan dalam lima hari bursa terakhir, atau terlalu jarang diperdagangkan dilewati dan muncul pada skipped beserta alasannya.',
      'Give each position with its ticker and either its profit or loss in percent or the average price paid. Choose the horizon by how long you are ready to wait; the longer it is, the wider the possible outcomes. The outlook is BULLISH or BEARISH where the chances of up and down differ by at least 15 points, and a position is called winner or loser from a profit or loss of 2 percent. Two positions in the same stock are judged separately. Stocks that are unknown, were not traded within the last five trading days, or trade too rarely are skipped and stand in skipped with the reason.',
    ),
  },
  learns: true,
  leastDays: ({ horizon }) => leastDays(horizon),
  learnsFrom: ({ horizon }) => ({ trainDays: TRAIN_DAYS, horizonDays: horizon }),
  whyHopeless: ({ positions }) =>
    positions.length > 0
      ? undefined
      : { parameter: 'positions', mistake: 'must have at least one item', reason: NO_POSITIONS },
  examples: (tickers): ExampleOf<typeof params>[] => {
    const positions = EXAMPLE_INPUTS.map((input, i) => ({ ticker: tickers[i]!, ...input }));
    return [{ params: { positions } }, { view: 'compact', params: { positions, horizon: 10 } }];
  },
  screen: () => import('./screen.ts'),
  results: () => import('./result.ts'),
});

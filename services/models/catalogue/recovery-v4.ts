import { analysisDate } from './common-parameters.ts';
import type { ItemRule, ModelDefinition } from './model-definition.ts';

const TICKER = /^[A-Za-z0-9-]{1,12}$/;
/** Bounds within which profit and average price follow from each other as finite numbers. */
const MOST_PNL_PCT = 100_000;
const LEAST_AVG_PRICE_IDR = 0.01;
const MOST_AVG_PRICE_IDR = 1e9;

/** A position is a ticker and one of two numbers; a null counts as not sent, other members are ignored. */
const position: ItemRule = (item, wrong) => {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) {
    wrong([], 'must be an object with ticker and either pnl_input or avg_price_input');
    return item;
  }
  const { ticker, pnl_input: pnl, avg_price_input: avg } = item as Record<string, unknown>;
  if (typeof ticker !== 'string' || !TICKER.test(ticker)) wrong(['ticker'], 'must be a ticker code');
  const given = { pnl_input: pnl ?? undefined, avg_price_input: avg ?? undefined };
  if ((given.pnl_input === undefined) === (given.avg_price_input === undefined)) {
    wrong([], 'must have exactly one of pnl_input and avg_price_input');
    return item;
  }
  if (given.pnl_input !== undefined && !isProfit(given.pnl_input)) {
    wrong(['pnl_input'], `must be a number above -100 and at most ${MOST_PNL_PCT}, in percent`);
  }
  if (given.avg_price_input !== undefined && !isPrice(given.avg_price_input)) {
    wrong(
      ['avg_price_input'],
      `must be a number from ${LEAST_AVG_PRICE_IDR} to ${MOST_AVG_PRICE_IDR}, in IDR`,
    );
  }
  return given.pnl_input === undefined
    ? { ticker, avg_price_input: given.avg_price_input }
    : { ticker, pnl_input: given.pnl_input };
};

function isProfit(value: unknown): boolean {
  return typeof value === 'number' && value > -100 && value <= MOST_PNL_PCT;
}

function isPrice(value: unknown): boolean {
  return typeof value === 'number' && value >= LEAST_AVG_PRICE_IDR && value <= MOST_AVG_PRICE_IDR;
}

export const recoveryV4: ModelDefinition = {
  id: 'recovery_v4',
  name: 'Model E: Portfolio Recovery',
  category: 'recovery',
  version: 'v4',
  views: ['full', 'compact'],
  params: {
    analysis_date: analysisDate,
    horizon: {
      type: 'integer',
      default: 20,
      options: [10, 20, 30, 40],
      description: 'Jangka perkiraan dalam hari bursa.',
    },
    positions: {
      type: 'array',
      default: [],
      description:
        'Saham yang dipegang. Setiap isi memuat ticker dan salah satu dari pnl_input (persen untung atau rugi, negatif berarti rugi) atau avg_price_input (harga beli rata-rata).',
      item: position,
    },
  },
  explanation: {
    what: 'Model E memperkirakan arah harga saham yang sudah Anda pegang dalam 10 sampai 40 hari bursa dan menunjukkan rentang hari yang wajar untuk mengevaluasi posisi. Pada setiap perhitungan model belajar dari saham likuid selama sekitar 750 hari bursa terakhir, lalu membagi peluang ke lima kelompok: CRASH, DECLINE, SIDEWAYS, CLIMB, dan RALLY. Batasnya -10, -3, 3, dan 10 persen untuk 20 hari, menyempit atau melebar sesuai akar panjang horizon. Target, support, dan rentang hari dibaca dari jalan harga saham-saham masa lalu yang volatilitasnya serupa: satu dari empat melampaui restore_target (untuk posisi rugi paling tinggi harga beli Anda), support_level adalah batas bawah terdekat, dan exit_window adalah saat separuh dari yang sampai ke target biasanya tiba di sana.',
    when: 'Cocok saat Anda memegang saham yang sedang rugi atau untung dan ingin menimbang apakah menunggu masih masuk akal, bukan untuk mencari saham baru. Kekuatan model terletak pada lebar kemungkinan: ia mengenali saham yang tenang dan yang liar, sedangkan arah naik atau turun jauh lebih sulit ditebak. Seberapa besar kelebihannya dibandingkan sekadar mengetahui frekuensi rata-rata pasar ditampilkan pada model_quality (brier_skill di atas 0 berarti lebih baik).',
    how: 'Isi setiap posisi dengan kode saham serta salah satu dari persentase untung/rugi atau harga beli rata-rata. Pilih horizon sesuai lama Anda bersedia menunggu; makin panjang horizon, makin lebar kemungkinan hasilnya. Outlook menjadi BULLISH atau BEARISH bila peluang naik dan turun berselisih sedikitnya 15 poin, dan posisi disebut winner atau loser mulai untung atau rugi 2 persen. Dua posisi pada saham yang sama dinilai masing-masing. Saham yang tidak dikenal, tidak diperdagangkan dalam lima hari bursa terakhir, atau terlalu jarang diperdagangkan dilewati dan muncul pada skipped beserta alasannya.',
  },
};

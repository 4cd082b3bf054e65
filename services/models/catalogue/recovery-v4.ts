import { analysisDate } from './common-parameters.ts';
import type { ItemRule, ModelDefinition } from './model-definition.ts';

const TICKER = /^[A-Za-z0-9-]{1,12}$/;

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
  if (given.pnl_input !== undefined && !isNumberAbove(given.pnl_input, -100)) {
    wrong(['pnl_input'], 'must be a number above -100, in percent');
  }
  if (given.avg_price_input !== undefined && !isNumberAbove(given.avg_price_input, 0)) {
    wrong(['avg_price_input'], 'must be a number above 0, in IDR');
  }
  return given.pnl_input === undefined
    ? { ticker, avg_price_input: given.avg_price_input }
    : { ticker, pnl_input: given.pnl_input };
};

function isNumberAbove(value: unknown, bound: number): boolean {
  return Number.isFinite(value) && (value as number) > bound;
}

export const recoveryV4: ModelDefinition = {
  id: 'recovery_v4',
  name: 'Model E: Portfolio Recovery',
  category: 'recovery',
  version: 'v4',
  views: ['full', 'compact'],
  isDeployed: false,
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
    what: 'Model E memperkirakan arah harga saham yang sudah Anda pegang dalam 10 sampai 40 hari bursa dan menunjukkan rentang hari yang wajar untuk mengevaluasi posisi.',
    when: 'Cocok saat Anda memegang saham yang sedang rugi atau untung dan ingin menimbang apakah menunggu masih masuk akal, bukan untuk mencari saham baru.',
    how: 'Isi setiap posisi dengan kode saham serta persentase untung/rugi atau harga beli rata-rata. Pilih horizon sesuai lama Anda bersedia menunggu; makin panjang horizon, makin lebar kemungkinan hasilnya.',
  },
};

import { Localised } from '#foundation/text/localised.ts';
import { leastDays } from '../inputs/history.ts';
import {
  analysisDate,
  choice,
  list,
  numberItem,
  objectItem,
  textItem,
  type Hopeless,
  type ParamsOf,
} from '../inputs/parameters.ts';

export const ID = 'recovery_v4';
/** Version of the method. It is part of the fingerprint of what the model learns. */
export const VERSION = 'v4';

/** Trading days trained on. */
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
    label: new Localised('Jangka perkiraan', 'Forecast horizon'),
    meaning: new Localised('Jangka perkiraan dalam hari bursa.', 'Forecast horizon in trading days.'),
  }),
  positions: list(position, {
    default: [],
    label: new Localised('Saham yang dipegang', 'Stocks that you hold'),
    meaning: new Localised(
      'Saham yang dipegang. Setiap isi memuat ticker dan salah satu dari pnl_input (persen untung atau rugi, negatif berarti rugi) atau avg_price_input (harga beli rata-rata).',
      'Stocks that you hold. Each item has a ticker and either pnl_input (profit or loss in percent, negative for a loss) or avg_price_input (average purchase price).',
    ),
  }),
};

export type RecoveryParams = ParamsOf<typeof params>;
/** A position as the caller sent it. */
export type PositionInput = RecoveryParams['positions'][number];

const NO_POSITIONS = new Localised(
  'Belum ada posisi yang dimasukkan. Isi minimal satu saham beserta persentase untung/rugi atau harga beli rata-rata.',
  'No positions were given. Add at least one stock with its profit or loss in percent, or with its average purchase price.',
);

/** Trading days that a run needs, up to and including the analysed day. */
export function daysNeeded({ horizon }: RecoveryParams): number {
  return leastDays(horizon);
}

/** Without positions there is nothing to forecast. */
export function whyHopeless({ positions }: Pick<RecoveryParams, 'positions'>): Hopeless | undefined {
  if (positions.length > 0) return undefined;
  return { parameter: 'positions', mistake: 'must have at least one item', reason: NO_POSITIONS };
}

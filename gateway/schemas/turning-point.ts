import Type from 'typebox';
import { BrokerData } from './broker-data.ts';
import { bounded, closed, Day, nullable, oneOf } from './common.ts';
import { named } from './named.ts';
import { DatasetVersion } from './quotes.ts';

/** The service refuses more tickers than this, once repeated ones are folded, with a code of its own. */
const MOST_TICKERS = 50;

export const lookback = bounded(2, 60, 10, 'Trading days over which the move is judged.');

const facts = {
  ticker: Type.String({ description: 'In upper case.', examples: ['BBCA'] }),
  date: Day('Last trading day of the stock in the dataset.'),
  signal: oneOf(['ACCUMULATION_REVERSAL', 'EARLY_RECOVERY', 'NEUTRAL', 'WEAKENING', 'DISTRIBUTION_RISK'], {
    description: 'By score: from 4 up, 2 to 3, -1 to 1, -3 to -2, from -4 down.',
  }),
  score: Type.Integer({
    description: 'Sum of points: positive where a fall may end, negative where a rise may.',
  }),
  factors: Type.Array(Type.String(), {
    description: 'What gave points, as sentences in Bahasa Indonesia for display; empty when nothing did.',
    examples: [
      ['Harga naik 18,4% dalam 10 hari', 'Asing mencatat jual bersih Rp42,3 miliar selama kenaikan'],
    ],
  }),
  close: Type.Number({ description: 'Close as traded, IDR.' }),
  ret_10d_pct: nullable(
    Type.Number(),
    'Return over 10 trading days whatever the lookback, percent; null where history is shorter.',
  ),
};

const answer = {
  lookback: Type.Integer({ description: 'Trading days over which the move was judged.' }),
  is_partial: Type.Boolean({ description: 'Whether the latest day may still be incomplete.' }),
  dataset_version: DatasetVersion,
  broker_data: BrokerData,
};

export const TurningPointAnswer = named('TurningPointAnswer', Type.Object({ ...facts, ...answer }));

export const TurningPointsRequest = named(
  'TurningPointsRequest',
  closed({
    tickers: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
      minItems: 1,
      description: `Ticker codes in any case; at most ${MOST_TICKERS} different ones, more are \`too_many_tickers\`.`,
      examples: [['BBCA', 'BBRI', 'TLKM']],
    }),
    lookback,
  }),
);

export const TurningPoints = named(
  'TurningPoints',
  Type.Object({
    turning_points: Type.Array(named('TurningPoint', Type.Object(facts)), {
      description: 'One of each stock that was found, in the order of their first mention.',
    }),
    missing: Type.Array(Type.String(), {
      description: 'Tickers without data, in upper case, in the order of their first mention.',
    }),
    ...answer,
  }),
);

import Type from 'typebox';
import { BrokerData } from './broker-data.ts';
import { bounded, closed, Day, nullable } from './common.ts';
import { named } from './named.ts';
import { DatasetVersion } from './quotes.ts';
import { Snapshot } from './snapshot.ts';

/** The service refuses more tickers than this, once repeated ones are folded, with a code of its own. */
const MOST_TICKERS = 10;

export const CompareRequest = named(
  'CompareRequest',
  closed({
    tickers: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
      minItems: 1,
      description: `Ticker codes in any case; at most ${MOST_TICKERS} different ones, more are \`too_many_tickers\`.`,
      examples: [['BBCA', 'BBRI']],
    }),
    days: bounded(1, 250, 20, 'Length of the compared period in trading days.'),
  }),
);

const number = (description: string) => nullable(Type.Number(), description);

const PeriodStatistics = named(
  'PeriodStatistics',
  Type.Object(
    {
      return_pct: number(
        'Last close of the period against the close before it, adjusted, percent. A stock listed within the period ' +
          'starts from the reference price of its first day.',
      ),
      high: number('Highest price traded, IDR, adjusted as of the last day of the period.'),
      low: number('Lowest price traded, IDR, adjusted as of the last day of the period.'),
      avg_value: number('Average daily value since the listing, days without trades included, IDR.'),
      max_drawdown_pct: number('Deepest fall of the close below an earlier close, percent, never positive.'),
      foreign_net_value: number('Net value bought by foreign investors, IDR.'),
      bandar_net_value: number(
        'Net value bought by local institutions, IDR; null unless there are per-broker rows of every traded day.',
      ),
    },
    {
      description:
        'Over the same trading days for every stock. Prices are null for a stock that did not trade in them, all of ' +
        'it for one that was no longer listed.',
    },
  ),
);

const { ticker, name, sector, board, date, is_partial, features } = Snapshot.properties;

const ComparedStock = named(
  'ComparedStock',
  Type.Object({
    ...{ ticker, name, sector, board, date, is_partial },
    close: Type.Number({ description: 'Close of the stock’s last trading day, IDR, not adjusted.' }),
    change_pct: Type.Number({ description: 'Change against the reference price of that day, percent.' }),
    features,
    period: PeriodStatistics,
  }),
);

const ranked = (by: string) => Type.Array(Type.String(), { description: `Tickers by ${by}, highest first.` });

export const Comparison = named(
  'Comparison',
  Type.Object({
    date: Day('Last trading day of the dataset, with which the period ends.'),
    days: Type.Integer({ description: 'Length of the period in trading days.' }),
    tickers: Type.Array(Type.String(), {
      description: 'Tickers found, in the order of their first mention.',
    }),
    snapshots: Type.Array(ComparedStock, { description: 'One of each, in the same order.' }),
    ranking: Type.Object(
      {
        return_pct: ranked('return over the period'),
        rsi14: ranked('relative strength index'),
        volume_ratio_20: ranked('volume against its average of 20 days'),
        bandar_net_value_5d: nullable(
          ranked('net value bought by local institutions in 5 days'),
          'Null without per-broker rows.',
        ),
      },
      { description: 'The same tickers by their numbers; a ticker without the number is left out.' },
    ),
    missing: Type.Array(Type.String(), {
      description: 'Tickers without data, in the order of their first mention.',
    }),
    dataset_version: DatasetVersion,
    broker_data: BrokerData,
  }),
);

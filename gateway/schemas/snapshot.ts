import Type from 'typebox';
import { BrokerData } from './broker-data.ts';
import { Day, nullable } from './common.ts';
import { named } from './named.ts';
import { DatasetVersion } from './quotes.ts';
import { SnapshotFeatures } from './snapshot-features.ts';

const price = (description: string) =>
  Type.Number({ description: `${description}, IDR, adjusted for splits.` });

const Bar = named(
  'Bar',
  Type.Object(
    {
      date: Day('Trading day.'),
      open: price('Opening price'),
      high: price('Highest price'),
      low: price('Lowest price'),
      close: price('Closing price'),
      volume: Type.Number({
        description: 'Shares (not lots), adjusted for splits; 0 on a day without trading.',
      }),
      value: Type.Number({ description: 'Traded value, IDR.' }),
      frequency: Type.Integer({ description: 'Number of trades.' }),
      change_pct: Type.Number({ description: 'Change against the reference price of the day, percent.' }),
    },
    { description: 'One day of trading in the regular market.' },
  ),
);

export const Snapshot = named(
  'Snapshot',
  Type.Object({
    ticker: Type.String({ description: 'In upper case.', examples: ['BBCA'] }),
    name: nullable(Type.String(), 'Company name, where the dataset has it.'),
    sector: nullable(Type.String(), 'Sector, where the dataset has it.'),
    board: nullable(Type.String(), 'Listing board, where the dataset has it.'),
    date: Day('Last trading day of the stock in the dataset.'),
    is_partial: Type.Boolean({ description: 'Whether the latest day may still be incomplete.' }),
    days: Type.Integer({
      description: 'Number of bars asked for; there are fewer where history is shorter.',
    }),
    ohlcv: Type.Array(Bar, { description: 'Oldest first.' }),
    features: SnapshotFeatures,
    dataset_version: DatasetVersion,
    broker_data: BrokerData,
  }),
);

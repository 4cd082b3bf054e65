import Type from 'typebox';
import { BrokerData } from './broker-data.ts';
import { Day, nullable } from './common.ts';
import { named } from './named.ts';
import { DatasetVersion } from './quotes.ts';

const ticker = Type.String({ description: 'In upper case.', examples: ['BBCA'] });
const volume = Type.Number({ description: 'Negotiated shares (not lots; odd lots occur).' });
const frequency = Type.Integer({ description: 'Number of negotiated deals.' });
const avgPrice = nullable(Type.Number(), 'nego_value / nego_volume, IDR; null without negotiated trades.');
const premium = nullable(
  Type.Number(),
  '(nego_avg_price - close) / close, a fraction: positive when the block traded above the regular close; null ' +
    'without negotiated trades.',
);
const outlier = Type.Boolean({
  description:
    'Whether the price paid is under half or over twice the close: rather a wrong price, or a leg of a rights issue ' +
    'or conversion, than a discount on a block. The numbers are given as they are all the same.',
});
const topBroker = (deed: string) =>
  nullable(
    Type.String(),
    `Code of the broker that ${deed} most value, gross, equal ones by code; null unless there are gross per-broker ` +
      'rows of every day with negotiated trades.',
  );
const minVal = Type.Number({ description: 'The least negotiated value asked for, IDR.' });
const count = Type.Integer({ description: 'Number of items in this answer.' });

const NegoDay = named(
  'NegoDay',
  Type.Object(
    {
      date: Day('Trading day.'),
      close: Type.Number({ description: 'Close of the regular market, IDR, not adjusted.' }),
      nego_value: Type.Number({ description: 'Negotiated value, IDR; 0 on a day without.' }),
      nego_volume: volume,
      nego_frequency: frequency,
      nego_avg_price: avgPrice,
      nego_premium: premium,
      nego_to_regular_pct: nullable(
        Type.Number(),
        'nego_value against the value of the regular market, percent; null when nothing traded there.',
      ),
      outlier,
    },
    {
      description:
        'One day of negotiated trading; every number as it was on that day, not adjusted for splits.',
    },
  ),
);

export const NegoHistory = named(
  'NegoHistory',
  Type.Object({
    ticker,
    days: Type.Integer({ description: 'Trading days asked for; there are fewer where history is shorter.' }),
    items: Type.Array(NegoDay, {
      description: 'Every trading day, also those without negotiated trades; oldest first.',
    }),
    summary: Type.Object({
      total_value: Type.Number({ description: 'Negotiated value of all items, IDR.' }),
      days_active: Type.Integer({ description: 'Items with negotiated trades.' }),
      avg_premium: nullable(
        Type.Number(),
        'What was paid against what the same shares were worth at the closes of their days, a fraction: the premiums ' +
          'of the days weighted by value; null without negotiated trades.',
      ),
    }),
    dataset_version: DatasetVersion,
  }),
);

const NegoStock = named(
  'NegoStock',
  Type.Object({
    ticker,
    close: Type.Number({ description: 'Close of the regular market, IDR, not adjusted.' }),
    nego_value: Type.Number({ description: 'Negotiated value, IDR.' }),
    nego_volume: volume,
    nego_avg_price: avgPrice,
    nego_premium: premium,
    nego_frequency: frequency,
    regular_value: Type.Number({ description: 'Value of the regular market that day, IDR.' }),
    top_buyer: topBroker('bought'),
    top_seller: topBroker('sold'),
    outlier,
  }),
);

export const NegoScan = named(
  'NegoScan',
  Type.Object({
    date: Day('Trading day scanned.'),
    min_val: minVal,
    count,
    items: Type.Array(NegoStock, { description: 'Largest negotiated value first; equal ones by ticker.' }),
    dataset_version: DatasetVersion,
    broker_data: BrokerData,
  }),
);

const NegoWindowStock = named(
  'NegoWindowStock',
  Type.Object(
    {
      ticker,
      close: Type.Number({ description: 'Close of its last trading day of the window, IDR, not adjusted.' }),
      nego_value: Type.Number({
        description: 'Negotiated value over the window, IDR; the same as total_value.',
      }),
      nego_volume: volume,
      nego_avg_price: avgPrice,
      avg_close: nullable(
        Type.Number(),
        'Closes of the regular market weighted by the shares negotiated on each day, IDR.',
      ),
      nego_premium: nullable(
        Type.Number(),
        '(nego_avg_price - avg_close) / avg_close, a fraction. Each block counts against the close of its own day, so ' +
          'that a price that moves within the window is not taken for a premium.',
      ),
      nego_frequency: frequency,
      regular_value: Type.Number({ description: 'Value of the regular market over the window, IDR.' }),
      days_active: Type.Integer({ description: 'Days with negotiated trades.' }),
      total_value: Type.Number({ description: 'Negotiated value over the window, IDR.' }),
      max_day_value: Type.Number({ description: 'Negotiated value of the busiest day, IDR.' }),
      last_date: Day('Last day with negotiated trades.'),
      top_buyer: topBroker('bought'),
      top_seller: topBroker('sold'),
      outlier,
    },
    {
      description:
        'Shares and average prices are restated for splits to the terms of the last day of the window.',
    },
  ),
);

export const NegoWindow = named(
  'NegoWindow',
  Type.Object({
    days: Type.Integer({ description: 'Calendar days of the window.' }),
    date_from: Day('First calendar day of the window.'),
    date_to: Day('Last day of the window: the latest trading day.'),
    trading_days: Type.Integer({ description: 'Trading days of the dataset within the window.' }),
    min_val: minVal,
    count,
    items: Type.Array(NegoWindowStock, {
      description: 'Largest negotiated value first; equal ones by ticker.',
    }),
    dataset_version: DatasetVersion,
    broker_data: BrokerData,
  }),
);

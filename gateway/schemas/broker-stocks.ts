import Type from 'typebox';
import {
  avgBuyPrice,
  boughtSide,
  broker,
  brokerName,
  marketAnswered,
  netOfSides,
  provenance,
  soldSide,
  sortedBy,
  ticker,
} from './brokers.ts';
import { Day, nullable } from './common.ts';
import { named } from './named.ts';

const BrokerStock = named(
  'BrokerStock',
  Type.Object({
    ticker,
    close: Type.Number({ description: 'Latest close of the window, IDR, not adjusted.' }),
    buy_value: boughtSide.buy_value,
    sell_value: soldSide.sell_value,
    ...netOfSides,
    avg_buy_price: avgBuyPrice,
    net_buy_days: Type.Integer({ description: 'Days on which the broker bought more value than it sold.' }),
    net_sell_days: Type.Integer({ description: 'Days on which it sold more value than it bought.' }),
    price_change_pct: nullable(
      Type.Number(),
      'Latest close of the window against the close before the window, adjusted, percent; null for a stock listed ' +
        'within the window, or when the dataset begins with it.',
    ),
    share_of_turnover_pct: nullable(
      Type.Number(),
      'Half of what the broker bought and sold against what was traded of the stock in that market over the window, ' +
        'percent; null when nothing was, or unless there are gross rows of every day on which the stock traded.',
    ),
  }),
);

export const BrokerStocks = named(
  'BrokerStocks',
  Type.Object(
    {
      ...{ broker, broker_name: brokerName, market: marketAnswered, sort_by: sortedBy },
      days: Type.Integer({ description: 'Trading days asked for.' }),
      date_from: Day('First trading day of the window.'),
      date_to: Day('Last trading day of the window.'),
      accumulated: Type.Array(BrokerStock, {
        description: 'Bought net, largest first; equal ones by ticker.',
      }),
      distributed: Type.Array(BrokerStock, {
        description: 'Sold net, largest first; equal ones by ticker.',
      }),
      ...provenance,
    },
    {
      description:
        'Values are summed as they were; shares and average prices are restated for splits to the terms of the last day ' +
        'of the window. An average price is null with net rows.',
    },
  ),
);

import Type from 'typebox';
import {
  avgBuyPrice,
  avgSellPrice,
  boughtSide,
  broker,
  brokerClass,
  brokerCount,
  brokerName,
  BrokerTotals,
  marketAnswered,
  netOfSides,
  provenance,
  rankedBrokers,
  soldSide,
  sortedBy,
  ticker,
} from './brokers.ts';
import { Day } from './common.ts';
import { named } from './named.ts';

const BrokerWindowRow = named(
  'BrokerWindowRow',
  Type.Object({
    ...{ broker, broker_name: brokerName, ...boughtSide, avg_buy_price: avgBuyPrice },
    ...{ ...soldSide, avg_sell_price: avgSellPrice, ...netOfSides },
    active_days: Type.Integer({ description: 'Days on which the broker traded the stock.' }),
    net_buy_days: Type.Integer({ description: 'Days on which it bought more value than it sold.' }),
    net_sell_days: Type.Integer({ description: 'Days on which it sold more value than it bought.' }),
    ...brokerClass,
  }),
);

export const BrokerWindow = named(
  'BrokerWindow',
  Type.Object(
    {
      ...{ ticker, market: marketAnswered, sort_by: sortedBy },
      days: Type.Integer({ description: 'Trading days asked for.' }),
      date_from: Day('First trading day of the window.'),
      date_to: Day('Last trading day of the window.'),
      trading_days: Type.Integer({
        description:
          'Days of the window for which there are rows. On the others nothing is known of brokers.',
      }),
      partial_days: Type.Integer({ description: 'Days of those whose rows lack something.' }),
      broker_count: brokerCount,
      totals: BrokerTotals,
      brokers: Type.Array(BrokerWindowRow, {
        description: 'Every broker of top_buyers and top_sellers, each once, by code.',
      }),
      ...rankedBrokers,
      ...provenance,
    },
    {
      description:
        'Values are summed as they were. Shares and average prices are restated for splits to the terms of the last day ' +
        'of the window; an average price is the sum of values / the sum of shares, null with net rows.',
    },
  ),
);

import Type from 'typebox';
import { BrokerData } from './broker-data.ts';
import { bounded, Day, nullable, oneOf } from './common.ts';
import { named } from './named.ts';
import { DatasetVersion } from './quotes.ts';

const MARKETS = ['REG', 'NEGO'] as const;
const SORT_BY = ['value', 'shares'] as const;

/** What queries choose by. */
export const market = oneOf(MARKETS, {
  default: 'REG',
  description: '`REG`: the regular market. `NEGO`: the negotiated one.',
});
export const sortBy = oneOf(SORT_BY, {
  default: 'value',
  description:
    'What the lists are ordered by: IDR or shares. On which side a broker or a stock stands is always told by value.',
});
export const topBrokers = bounded(1, 50, 10, 'Most buyers and most sellers to answer.');

/** What every answer on broker rows begins and ends with. */
export const ticker = Type.String({ description: 'In upper case.', examples: ['BBCA'] });
export const broker = Type.String({ description: 'Broker code in upper case.', examples: ['AK'] });
export const brokerName = nullable(
  Type.String(),
  'The broker’s name; null for a code that the broker table of the dataset does not have.',
);
export const marketAnswered = oneOf(MARKETS, { description: 'The market answered from.' });
export const sortedBy = oneOf(SORT_BY, { description: 'What the lists are ordered by.' });
export const provenance = { dataset_version: DatasetVersion, broker_data: BrokerData };

export const brokerClass = {
  is_retail: Type.Boolean({ description: 'Whether most clients of the broker are retail investors.' }),
  is_foreign: Type.Boolean({
    description:
      'Whether most clients of the broker are foreign institutions; never together with is_retail.',
  }),
};

const AS_COUNTED = 'shares (not lots)';
export const boughtSide = {
  buy_shares: Type.Number({ description: `Bought, ${AS_COUNTED}.` }),
  buy_value: Type.Number({ description: 'Bought, IDR.' }),
};
export const soldSide = {
  sell_shares: Type.Number({ description: `Sold, ${AS_COUNTED}.` }),
  sell_value: Type.Number({ description: 'Sold, IDR.' }),
};
/** Where no price is told: differences of shares and of value may lie on different sides. */
export const orNet = 'or when any of the rows is net (only the difference of the sides is known of the day)';
export const avgBuyPrice = nullable(
  Type.Number(),
  `Value bought / shares bought, IDR; null when nothing was bought, ${orNet}.`,
);
export const avgSellPrice = nullable(
  Type.Number(),
  `Value sold / shares sold, IDR; null when nothing was sold, ${orNet}.`,
);
export const netOfSides = {
  net_shares: Type.Number({ description: `Bought less sold, ${AS_COUNTED}.` }),
  net_value: Type.Number({ description: 'Bought less sold, IDR.' }),
};

const BrokerBuyer = named(
  'BrokerBuyer',
  Type.Object({
    ...{ broker, broker_name: brokerName, ...boughtSide, avg_buy_price: avgBuyPrice },
    ...{ ...netOfSides, ...brokerClass },
  }),
);

const BrokerSeller = named(
  'BrokerSeller',
  Type.Object({
    ...{ broker, broker_name: brokerName, ...soldSide, avg_sell_price: avgSellPrice },
    ...{ ...netOfSides, ...brokerClass },
  }),
);

export const rankedBrokers = {
  top_buyers: Type.Array(BrokerBuyer, {
    description:
      '`REG`: net buyers, the largest net first. `NEGO`: whoever bought, the largest purchase first, because a broker ' +
      'that crosses a block between its own clients has no net. Equal ones by code.',
  }),
  top_sellers: Type.Array(BrokerSeller, {
    description: 'The same of sellers. A net seller’s `net_value` is negative.',
  }),
};

const idr = (description: string) => Type.Number({ description: `${description}, IDR.` });

export const BrokerTotals = named(
  'BrokerTotals',
  Type.Object(
    {
      buy_value: idr('Bought'),
      sell_value: idr('Sold'),
      net_value: idr('buy_value less sell_value: 0 unless rows are missing'),
      buy_shares: Type.Number({ description: `Bought, ${AS_COUNTED}.` }),
      sell_shares: Type.Number({ description: `Sold, ${AS_COUNTED}.` }),
      foreign_buy_value: idr('Bought through foreign brokers'),
      foreign_sell_value: idr('Sold through foreign brokers'),
      foreign_net_value: idr('Bought less sold through foreign brokers, whoever their clients are'),
      retail_net_value: idr('Bought less sold through retail brokers'),
      bandar_net_value: idr(
        'Bought less sold through all other brokers, mostly local institutions (`bandar`)',
      ),
      foreign_investor_net_value: nullable(
        Type.Number(),
        'Bought less sold by foreign investors through whichever broker, as the exchange publishes it for the same days, ' +
          'IDR; null for `NEGO`, of which it publishes none. Elsewhere in this API “foreign” means this figure.',
      ),
      top5_buyer_net_value: idr('Bought less sold by the five largest net buyers'),
      top5_seller_net_value: idr('Bought less sold by the five largest net sellers, never positive'),
      concentration_pct: nullable(
        Type.Number(),
        'Share of the five largest buyers, gross, in buy_value, percent; null when nothing was bought, and where only ' +
          'net rows are known of a day.',
      ),
    },
    {
      description:
        'All brokers together, not only those listed. The classes have no broker in common: foreign_net_value, ' +
        'retail_net_value and bandar_net_value add up to net_value.',
    },
  ),
);

export const brokerCount = Type.Integer({ description: 'Brokers with a row.' });

/** How much of a stock-day the rows tell. */
export const dayFacts = {
  is_partial: Type.Boolean({
    description:
      'Whether the rows lack something: shares bought and sold differ, gross rows are more than 1 % off the volume that ' +
      'the exchange published, net buys exceed it, or it is the dataset’s last day and may still change.',
  }),
  mode: oneOf(['gross', 'net'], {
    description:
      '`gross`: the rows have both sides of every broker. `net`: only the difference of the sides is known, which then ' +
      'stands on the larger side; the other is 0.',
  }),
  coverage_pct: nullable(
    Type.Number(),
    'Shares of the rows against the shares that the exchange published for the day, percent; null for net rows, and ' +
      'where it published none.',
  ),
};

export const Brokers = named(
  'Brokers',
  Type.Object({
    ticker,
    date: Day('Trading day.'),
    market: marketAnswered,
    sort_by: sortedBy,
    close: Type.Number({ description: 'Close of the regular market, IDR, not adjusted.' }),
    ...dayFacts,
    broker_count: brokerCount,
    totals: BrokerTotals,
    ...rankedBrokers,
    ...provenance,
  }),
);

import Type from 'typebox';
import {
  boughtSide,
  broker,
  brokerClass,
  brokerName,
  Brokers,
  BrokerTotals,
  netOfSides,
  soldSide,
} from './brokers.ts';
import { nullable, oneOf } from './common.ts';
import { named } from './named.ts';

const NegoBroker = named(
  'NegoBroker',
  Type.Object({
    ...{ broker, broker_name: brokerName, ...boughtSide, ...soldSide },
    crossed_value: Type.Number({
      description:
        'The smaller of both values, IDR: what the broker crossed between clients of its own, at most. The rows do not ' +
        'tell who stood opposite. 0 for net rows, which do not tell what was crossed; they have no average prices either.',
    }),
    net_value: netOfSides.net_value,
    ...brokerClass,
  }),
);

const { ticker, date, sort_by, close, is_partial, mode, coverage_pct, broker_count } = Brokers.properties;
const { top_buyers, top_sellers, dataset_version, broker_data } = Brokers.properties;

export const NegoBrokers = named(
  'NegoBrokers',
  Type.Object({
    ...{ ticker, date },
    market: oneOf(['NEGO'], { description: 'The negotiated market.' }),
    ...{ sort_by, close },
    nego_avg_price: nullable(
      Type.Number(),
      'Negotiated value / shares of the day as the exchange publishes them, IDR; null when it publishes none.',
    ),
    nego_premium: nullable(
      Type.Number(),
      '(nego_avg_price - close) / close, a fraction: positive when the blocks traded above the regular close; null ' +
        'without nego_avg_price.',
    ),
    ...{ is_partial, mode, coverage_pct, broker_count, totals: BrokerTotals },
    brokers: Type.Array(NegoBroker, {
      description: 'Both sides of every broker of top_buyers and top_sellers, each once, by code.',
    }),
    ...{ top_buyers, top_sellers, dataset_version, broker_data },
  }),
);

import Type from 'typebox';
import {
  avgBuyPrice,
  avgSellPrice,
  boughtSide,
  broker,
  brokerName,
  marketAnswered,
  netOfSides,
  orNet,
  provenance,
  soldSide,
  ticker,
} from './brokers.ts';
import { Day, nullable, oneOf } from './common.ts';
import { named } from './named.ts';

const BrokerDay = named(
  'BrokerDay',
  Type.Object(
    {
      date: Day('Trading day.'),
      close: Type.Number({ description: 'Close of the regular market, IDR, not adjusted.' }),
      ...{ ...boughtSide, ...soldSide, ...netOfSides },
      cum_net_value: Type.Number({
        description: 'Sum of net_value from the first day of the timeline to this one, IDR.',
      }),
      ...{ avg_buy_price: avgBuyPrice, avg_sell_price: avgSellPrice },
    },
    { description: 'A day on which the broker traded; every number as it was on that day.' },
  ),
);

const BrokerStreak = named(
  'BrokerStreak',
  Type.Object(
    {
      side: oneOf(['ACCUMULATION', 'DISTRIBUTION', 'NONE'], {
        description: 'Net buying, net selling, or neither on any day of the timeline.',
      }),
      start_date: nullable(Day('Day on which it began.'), 'Day on which it began; null for `NONE`.'),
      days: Type.Integer({ description: 'Days on which the broker was on that side.' }),
      net_value: Type.Number({ description: 'Bought less sold over those days, IDR.' }),
    },
    {
      description:
        'The latest days on which the broker stood on one side. Days on which it did not trade, or bought as much as it ' +
        'sold, do not break it. One that began before the window is told from its first day in the window.',
    },
  ),
);

const BrokerTimelineSignals = named(
  'BrokerTimelineSignals',
  Type.Object({
    first_net_buy_date: nullable(
      Day('First day of net buying.'),
      'First day of the timeline on which the broker bought more value than it sold; null when there is none.',
    ),
    first_buy_above_1b_date: nullable(
      Day('First purchase of a billion.'),
      'First day of the timeline on which it bought at least 1 billion IDR, whatever it sold; null when there is none. ' +
        'Days of net rows do not count: what was bought is not known of them.',
    ),
    current_streak: BrokerStreak,
  }),
);

const BrokerTimelineSummary = named(
  'BrokerTimelineSummary',
  Type.Object(
    {
      ...netOfSides,
      avg_cost: nullable(
        Type.Number(),
        `Value bought / shares bought over the whole timeline, IDR; null when nothing was bought, ${orNet}.`,
      ),
      unrealised_pct: nullable(
        Type.Number(),
        'Latest close of the window against avg_cost, percent; null without avg_cost.',
      ),
      active_days: Type.Integer({ description: 'Days on which the broker traded.' }),
    },
    {
      description:
        'All days of the timeline together; shares and avg_cost are restated for splits to the terms of its last day.',
    },
  ),
);

export const BrokerTimeline = named(
  'BrokerTimeline',
  Type.Object({
    ...{ ticker, broker, broker_name: brokerName, market: marketAnswered },
    days: Type.Integer({ description: 'Calendar days of the window.' }),
    date_from: Day('First calendar day of the window.'),
    date_to: Day('Last day of the window: the latest trading day.'),
    timeline: Type.Array(BrokerDay, {
      description: 'Days on which the broker traded, oldest first; there is at least one.',
    }),
    signals: BrokerTimelineSignals,
    summary: BrokerTimelineSummary,
    ...provenance,
  }),
);

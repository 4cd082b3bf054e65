import type { BrokerTimelineSignals } from '#proto/saring/market_data/v1/market_data.ts';
import { defineRoute } from '../http/define-route.ts';
import { BrokerStocks } from '../schemas/broker-stocks.ts';
import { BrokerTimeline } from '../schemas/broker-timeline.ts';
import { market, sortBy } from '../schemas/brokers.ts';
import { bounded, closed, OpaqueId } from '../schemas/common.ts';
import { withNulls } from './with-nulls.ts';

const brokerCode = OpaqueId('Broker code in any case.', 'AK');

/** What one broker did. */
export const brokerActivityRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/v1/data/stocks/{ticker}/brokers/{broker_code}/timeline',
    operationId: 'getBrokerTimeline',
    tag: 'Market data',
    summary: 'What one broker did in one stock, day by day',
    description:
      'The last `days` calendar days up to the latest trading day of the dataset, with what follows from them: the first ' +
      'day of net buying, the first purchase of a billion, and since when the broker accumulates or distributes. A ' +
      'broker that did not trade the stock in the window is 404 `not_found`.',
    access: 'data:read',
    rests: 'on the dataset',
    params: closed({ ticker: OpaqueId('Ticker code in any case.', 'BBCA'), broker_code: brokerCode }),
    unknownIdCode: 'not_found',
    query: closed({ days: bounded(1, 250, 30, 'Calendar days.'), market }),
    responses: { 200: { description: 'The timeline.', schema: BrokerTimeline } },
    errors: ['not_found'],
    handler: async ({ params: { ticker, broker_code }, query }, call, { services }) => {
      const request = { ...query, ticker, broker: broker_code };
      const { timeline, signals, summary, ...facts } = await services.marketData.getBrokerTimeline(
        request,
        call,
      );
      return {
        ...withNulls(facts),
        timeline: timeline.map(withNulls),
        signals: renderSignals(signals!),
        summary: withNulls(summary ?? {}),
      };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/v1/data/brokers/{broker_code}/stocks',
    operationId: 'listBrokerStocks',
    tag: 'Market data',
    summary: 'Stocks that one broker bought and sold most, net',
    description:
      'Over the last `days` trading days of the dataset. A broker without rows in the window is 404 `not_found`; one that ' +
      'bought as much as it sold of everything has two empty lists.',
    access: 'data:read',
    rests: 'on the dataset',
    params: closed({ broker_code: brokerCode }),
    unknownIdCode: 'not_found',
    query: closed({
      days: bounded(1, 120, 5, 'Trading days.'),
      market,
      top_n: bounded(1, 100, 20, 'Most stocks of each list.'),
      sort_by: sortBy,
    }),
    responses: { 200: { description: 'The stocks.', schema: BrokerStocks } },
    errors: ['not_found'],
    handler: async ({ params: { broker_code }, query }, call, { services }) => {
      const request = { ...query, broker: broker_code };
      const { accumulated, distributed, ...facts } = await services.marketData.listBrokerStocks(
        request,
        call,
      );
      return {
        ...withNulls(facts),
        accumulated: accumulated.map(withNulls),
        distributed: distributed.map(withNulls),
      };
    },
  }),
];

function renderSignals(signals: BrokerTimelineSignals): object {
  return { ...withNulls(signals), current_streak: withNulls(signals.current_streak ?? {}) };
}

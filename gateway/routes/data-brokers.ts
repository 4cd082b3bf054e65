import { defineRoute } from '../http/define-route.ts';
import { tradingDate } from '../http/trading-date.ts';
import { BrokerWindow } from '../schemas/broker-window.ts';
import { Brokers, market, sortBy, topBrokers } from '../schemas/brokers.ts';
import { bounded, closed, OpaqueId } from '../schemas/common.ts';
import { NegoBrokers } from '../schemas/nego-brokers.ts';
import { TradingDate } from '../schemas/trading-date.ts';
import { withNulls } from './with-nulls.ts';

const params = closed({ ticker: OpaqueId('Ticker code in any case.', 'BBCA') });
const WITHOUT_ROWS = 'without broker rows the answer is 404 `not_found`';

/** The brokers of one stock. */
export const brokersRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/v1/data/stocks/{ticker}/brokers',
    operationId: 'getStockBrokers',
    tag: 'Market data',
    summary: 'Who bought and who sold one stock on one day',
    description:
      'The largest buyers and sellers among the brokers, and what all brokers came to by class. For a day or a market ' +
      `${WITHOUT_ROWS}. Broker codes are published after the close, so that there is nothing of a running day.`,
    access: 'data:read',
    rests: 'on the dataset',
    params,
    unknownIdCode: 'not_found',
    query: closed({ date: TradingDate, market, top_n: topBrokers, sort_by: sortBy }),
    responses: { 200: { description: 'The brokers.', schema: Brokers } },
    errors: ['not_found'],
    handler: async ({ params: { ticker }, query }, call, { services }) => {
      const request = { ...query, ticker, date: tradingDate(query.date) };
      return rendered(await services.marketData.getBrokers(request, call));
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/v1/data/stocks/{ticker}/brokers/window',
    operationId: 'getStockBrokerWindow',
    tag: 'Market data',
    summary: 'Who bought and who sold one stock over a window',
    description:
      'The same added up over the last `days` trading days of the dataset, for every broker by itself. For a window ' +
      `${WITHOUT_ROWS}; \`trading_days\` tells how many of its days have some.`,
    access: 'data:read',
    rests: 'on the dataset',
    params,
    unknownIdCode: 'not_found',
    query: closed({
      days: bounded(1, 120, 10, 'Trading days.'),
      ...{ market, top_n: topBrokers, sort_by: sortBy },
    }),
    responses: { 200: { description: 'The brokers.', schema: BrokerWindow } },
    errors: ['not_found'],
    handler: async ({ params: { ticker }, query }, call, { services }) => {
      const window = await services.marketData.getBrokerWindow({ ...query, ticker }, call);
      return { ...rendered(window), brokers: window.brokers.map(withNulls) };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/v1/data/stocks/{ticker}/nego/brokers',
    operationId: 'getStockNegoBrokers',
    tag: 'Market data',
    summary: 'Who stood on which side of one stock’s negotiated trades of one day',
    description:
      'As the brokers of a day with `market=NEGO`, with both sides of each and the price that was paid. For a day ' +
      `${WITHOUT_ROWS}.`,
    access: 'data:read',
    rests: 'on the dataset',
    params,
    unknownIdCode: 'not_found',
    query: closed({ date: TradingDate, top_n: topBrokers, sort_by: sortBy }),
    responses: { 200: { description: 'The brokers.', schema: NegoBrokers } },
    errors: ['not_found'],
    handler: async ({ params: { ticker }, query }, call, { services }) => {
      const request = { ...query, ticker, date: tradingDate(query.date) };
      const day = await services.marketData.getNegoBrokers(request, call);
      return { ...rendered(day), brokers: day.brokers.map(withNulls) };
    },
  }),
];

interface RankedAnswer {
  totals: object | undefined;
  top_buyers: object[];
  top_sellers: object[];
}

function rendered(answer: RankedAnswer): Record<string, unknown> {
  return {
    ...withNulls(answer),
    totals: withNulls(answer.totals ?? {}),
    top_buyers: answer.top_buyers.map(withNulls),
    top_sellers: answer.top_sellers.map(withNulls),
  };
}

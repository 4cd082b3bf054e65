import Type from 'typebox';
import { defineRoute } from '../http/define-route.ts';
import { tradingDate } from '../http/trading-date.ts';
import { bounded, closed, OpaqueId } from '../schemas/common.ts';
import { NegoHistory, NegoScan, NegoWindow } from '../schemas/nego.ts';
import { TradingDate } from '../schemas/trading-date.ts';
import { withNulls } from './with-nulls.ts';

const selection = {
  min_val: Type.Number({
    minimum: 0,
    default: 1_000_000_000,
    description: 'Least negotiated value of a stock, IDR.',
  }),
  top_n: bounded(1, 100, 20, 'Most stocks to answer.'),
};

export const negoRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/v1/data/stocks/{ticker}/nego',
    operationId: 'getStockNego',
    tag: 'Market data',
    summary: 'Negotiated trading of one stock, day by day',
    description:
      'The last `days` trading days of the stock. `nego_premium` is (average price - close) / close, a fraction: ' +
      'positive when the blocks traded above the regular close.',
    access: 'data:read',
    rests: 'on the dataset',
    params: closed({ ticker: OpaqueId('Ticker code in any case.', 'BBCA') }),
    unknownIdCode: 'not_found',
    query: closed({ days: bounded(1, 250, 20, 'Trading days.') }),
    responses: { 200: { description: 'The days and what they come to.', schema: NegoHistory } },
    errors: ['not_found'],
    handler: async ({ params: { ticker }, query: { days } }, call, { services }) => {
      const { summary, ...nego } = await services.marketData.getNego({ ticker, days }, call);
      return { ...nego, items: nego.items.map(withNulls), summary: withNulls(summary ?? {}) };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/v1/data/nego',
    operationId: 'scanNego',
    tag: 'Market data',
    summary: 'Stocks with notable negotiated trading on one day',
    description:
      'Largest negotiated value first. A day that is not a trading day of the dataset is 404 `not_found`; a trading ' +
      'day on which no stock reached `min_val` has no items.',
    access: 'data:read',
    rests: 'on the dataset',
    query: closed({
      date: TradingDate,
      ...selection,
    }),
    responses: { 200: { description: 'The stocks.', schema: NegoScan } },
    errors: ['not_found'],
    handler: async ({ query }, call, { services }) => {
      const request = { ...query, date: tradingDate(query.date) };
      const scan = await services.marketData.scanNego(request, call);
      return { ...scan, count: scan.items.length, items: scan.items.map(withNulls) };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/v1/data/nego/window',
    operationId: 'scanNegoWindow',
    tag: 'Market data',
    summary: 'Stocks with notable negotiated trading over a window',
    description:
      'The last `days` calendar days up to the latest trading day of the dataset. Each block counts against the close ' +
      'of its own day.',
    access: 'data:read',
    rests: 'on the dataset',
    query: closed({ days: bounded(1, 120, 14, 'Calendar days.'), ...selection }),
    responses: { 200: { description: 'The stocks.', schema: NegoWindow } },
    errors: ['not_found'],
    handler: async ({ query }, call, { services }) => {
      const scan = await services.marketData.scanNegoWindow(query, call);
      return { ...scan, count: scan.items.length, items: scan.items.map(withNulls) };
    },
  }),
];

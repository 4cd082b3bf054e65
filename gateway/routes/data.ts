import Type from 'typebox';
import { invalidRequest } from '#shared/invalid-request.ts';
import { defineRoute } from '../http/define-route.ts';
import { bounded, closed, OpaqueId } from '../schemas/common.ts';
import { Quotes } from '../schemas/quotes.ts';
import { Snapshot } from '../schemas/snapshot.ts';
import { withNulls } from './with-nulls.ts';

export const dataRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/v1/data/quotes',
    operationId: 'getQuotes',
    tag: 'Market data',
    summary: 'Latest closes',
    description:
      'The close of each ticker on the latest trading day of the dataset; not live ticks. A ticker that is ' +
      'unknown or did not trade that day is left out of the answer.',
    access: 'data:read',
    rests: 'on the dataset',
    query: closed({
      tickers: Type.String({
        minLength: 1,
        description: 'Ticker codes, comma-separated, in any case; at most 50 different ones.',
        examples: ['BBCA,BBRI,TLKM'],
      }),
    }),
    responses: { 200: { description: 'Quotes by ticker.', schema: Quotes } },
    errors: ['too_many_tickers'],
    handler: ({ query }, call, { quotes }) => quotes.get(tickersOf(query.tickers), call),
  }),
  defineRoute({
    method: 'get',
    path: '/api/v1/data/stocks/{ticker}',
    operationId: 'getStock',
    tag: 'Market data',
    summary: 'One stock: recent bars and computed features',
    description:
      'Daily bars of the regular market and about 40 features as of the latest of them. `days` sets how many ' +
      'bars come back and does not change the features.',
    access: 'data:read',
    rests: 'on the dataset',
    params: closed({ ticker: OpaqueId('Ticker code in any case.', 'BBCA') }),
    unknownIdCode: 'not_found',
    query: closed({ days: bounded(1, 250, 20, 'Trading days of bars.') }),
    responses: { 200: { description: 'The snapshot.', schema: Snapshot } },
    errors: ['not_found'],
    handler: async ({ params: { ticker }, query: { days } }, call, { services }) => {
      const snapshot = await services.marketData.getSnapshot({ ticker, days }, call);
      return { ...withNulls(snapshot), features: withNulls(snapshot.features ?? {}) };
    },
  }),
];

function tickersOf(list: string): string[] {
  const tickers = list.split(',').map((ticker) => ticker.trim().toUpperCase());
  const named = tickers.filter((ticker) => ticker !== '');
  if (named.length > 0) return named;
  const msg = 'must name at least one ticker, comma-separated';
  throw invalidRequest([{ loc: ['query', 'tickers'], msg, type: 'too_short', input: list }]);
}

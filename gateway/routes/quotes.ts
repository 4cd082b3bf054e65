import Type from 'typebox';
import { invalidRequest } from '#foundation/errors/invalid-request.ts';
import { codeOf } from '#foundation/text/codes.ts';
import { descriptionOf } from '#platform/wire/message-schema.ts';
import { defineRoute } from '../routing/define-route.ts';
import { closed } from '../schemas/common.ts';
import { responseOf, methodOf } from '../declarations/call-schemas.ts';
import { factsOf } from '../declarations/route-facts.ts';

/** One text lists the tickers, and concurrent requests share a call. */
export const quotesRoute = defineRoute({
  ...factsOf(['marketData', 'getQuotes']),
  query: closed({
    tickers: Type.String({
      minLength: 1,
      description: `Comma-separated. ${descriptionOf(methodOf(['marketData', 'getQuotes']).input.field['tickers']!)}`,
      examples: ['BBCA,BBRI,TLKM'],
    }),
  }),
  responses: { 200: { description: 'Quotes by ticker.', schema: responseOf(['marketData', 'getQuotes']) } },
  handler: ({ query }, call, { quotes }) => quotes.get(tickersOf(query.tickers), call),
});

function tickersOf(list: string): string[] {
  const tickers = list.split(',').map(codeOf);
  const given = tickers.filter((ticker) => ticker !== '');
  if (given.length > 0) return given;
  const msg = 'must name at least one ticker, comma-separated';
  throw invalidRequest([{ loc: ['query', 'tickers'], msg, type: 'too_short', input: list }]);
}

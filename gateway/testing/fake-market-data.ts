import { MarketDataServiceService } from '#proto/saring/market_data/v1/market_data.ts';
import type { Handlers } from '#platform/grpc/server.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { answeringByExample } from '#support/message-examples.ts';

/**
 * Answers with the examples of the messages, in which every value that may be null is, and knows one stock.
 * @param quoteCalls receives the tickers of every call for quotes
 */
export function fakeMarketData({
  quoteCalls,
}: {
  quoteCalls: string[][];
}): Handlers<MarketDataServiceService> {
  const responses = answeringByExample(MarketDataServiceService);
  return {
    ...responses,
    getQuotes: async (request, call) => {
      const { tickers } = request;
      quoteCalls.push(tickers);
      if (tickers.length > 50) throw new ServiceError('too_many_tickers', 'At most 50 tickers.');
      const quote = { close: 9_000, change_pct: 1.25, date: '2024-06-28' };
      const known = tickers.filter((ticker) => ticker !== 'NONE');
      const quotes = Object.fromEntries(known.map((ticker) => [ticker, quote]));
      return { ...(await responses.getQuotes(request, call)), quotes };
    },
    getSnapshot: async (request, call) => {
      const { ticker, days } = request;
      if (ticker.toUpperCase() !== 'BBCA')
        throw new ServiceError('not_found', `There is no data for ${ticker}.`);
      const response = await responses.getSnapshot(request, call);
      return { ...response, ticker: 'BBCA', ohlcv: Array.from({ length: days }, () => response.ohlcv[0]!) };
    },
    listBars: async (request, call) => ({
      ...(await responses.listBars(request, call)),
      next_cursor: request.cursor ? undefined : 'next',
      has_more: !request.cursor,
    }),
    compare: async (request, call) => {
      if (request.tickers.length > 10) throw new ServiceError('too_many_tickers', 'At most 10 tickers.');
      return responses.compare(request, call);
    },
  };
}

import { MarketDataServiceService } from '#proto/saring/market_data/v1/market_data.ts';
import type { Handlers } from '#platform/grpc/server.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { answeringByExample } from '#support/message-examples.ts';

const responses = answeringByExample(MarketDataServiceService);

/** Answers with the examples of the messages, in which every value that may be null is, and knows one stock. */
export const fakeMarketData: Handlers<MarketDataServiceService> = {
  ...responses,
  getQuotes: async (request, call) => {
    const quote = { close: 9_000, change_pct: 1.25, date: '2024-06-28' };
    const quotes = Object.fromEntries(request.tickers.map((ticker) => [ticker, quote]));
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
};

import Type from 'typebox';
import { invalidRequest } from '#shared/invalid-request.ts';
import { descriptionOf } from '#shared/wire/message-schema.ts';
import { defineRoute } from '../routing/define-route.ts';
import { closed } from '../schemas/common.ts';
import type { MarketDataServiceService } from '#proto/saring/market_data/v1/market_data.ts';
import { answerOf, methodOf, serviceRoute } from './service-route.ts';

const TURNING_POINT =
  'Whether the rise or fall of a stock over `lookback` trading days looks exhausted: how far the price went and ' +
  'where it stands in its 60 days, what foreign investors did and, where there are per-broker rows of all these days, ' +
  'local institutions and retail brokers too, heavy volume at an extreme, RSI and the crossing of averages. It ' +
  'describes and does not forecast. Branch on `signal` and `score` only.';

const WITHOUT_ROWS = 'without broker rows the answer is 404 `not_found`';

type MarketDataRoute = Omit<
  Parameters<typeof serviceRoute>[0],
  'rpc' | 'tag' | 'access' | 'rests' | 'unknownIdCode'
> & { rpc: keyof MarketDataServiceService };

/** A route that reads the dataset. A malformed id in its path is answered with not_found. */
function marketDataRoute({ rpc, ...route }: MarketDataRoute) {
  return serviceRoute({
    ...route,
    rpc: ['marketData', rpc],
    tag: 'Market data',
    access: 'data:read',
    rests: 'on the dataset',
    ...(route.path.includes('{') && { unknownIdCode: 'not_found' as const }),
  });
}

/** Every route that reads the dataset. Their inputs and answers are described in market_data.proto. */
export const marketDataRoutes = [
  // Declared by hand: one text lists the tickers, and concurrent requests share a call.
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
        description: `Comma-separated. ${descriptionOf(methodOf(['marketData', 'getQuotes']).input.field['tickers']!)}`,
        examples: ['BBCA,BBRI,TLKM'],
      }),
    }),
    responses: { 200: { description: 'Quotes by ticker.', schema: answerOf(['marketData', 'getQuotes']) } },
    errors: ['too_many_tickers'],
    handler: ({ query }, call, { quotes }) => quotes.get(tickersOf(query.tickers), call),
  }),
  marketDataRoute({
    method: 'get',
    path: '/api/v1/data/stocks/{ticker}',
    operationId: 'getStock',
    rpc: 'getSnapshot',
    summary: 'One stock: recent bars and computed features',
    description:
      'Daily bars of the regular market and about 40 features as of the latest of them. `days` sets how many ' +
      'bars come back and does not change the features.',
    answer: 'The snapshot.',
    errors: ['not_found'],
  }),
  marketDataRoute({
    method: 'post',
    path: '/api/v1/data/compare',
    operationId: 'compareStocks',
    rpc: 'compare',
    summary: 'Snapshots of several stocks side by side',
    description:
      'Features of each stock as of its own last day, as at /api/v1/data/stocks/{ticker}, and what happened to each ' +
      'over the same last `days` trading days of the dataset. Unknown tickers come back in `missing`; when all are ' +
      'unknown the answer is 404 `not_found`. Repeated tickers count once.',
    answer: 'The comparison.',
    errors: ['too_many_tickers', 'not_found'],
  }),
  marketDataRoute({
    method: 'get',
    path: '/api/v1/data/market-overview',
    operationId: 'getMarketOverview',
    rpc: 'getMarketOverview',
    summary: 'The whole market on the latest day',
    description:
      'Condition of the market (regime), how many stocks went which way, averages, and the largest movers. Counts ' +
      'of directions are of all stocks that traded; averages and movers are of the liquid ones.',
    answer: 'The overview.',
    errors: [],
  }),
  marketDataRoute({
    method: 'get',
    path: '/api/v1/data/stocks/{ticker}/turning-point',
    operationId: 'getTurningPoint',
    rpc: 'getTurningPoint',
    ofCaller: ['language'],
    summary: 'Turning point of one stock',
    description: TURNING_POINT,
    answer: 'The turning point.',
    errors: ['not_found'],
  }),
  marketDataRoute({
    method: 'post',
    path: '/api/v1/data/turning-points',
    operationId: 'listTurningPoints',
    rpc: 'listTurningPoints',
    ofCaller: ['language'],
    summary: 'Turning points of several stocks',
    description:
      `${TURNING_POINT} Unknown tickers come back in \`missing\`; when all are unknown the answer is 404 ` +
      '`not_found`. Cheaper than asking for one stock after the other.',
    answer: 'The turning points.',
    errors: ['too_many_tickers', 'not_found'],
  }),
  marketDataRoute({
    method: 'get',
    path: '/api/v1/data/stocks/{ticker}/brokers',
    operationId: 'getStockBrokers',
    rpc: 'getBrokers',
    summary: 'Who bought and who sold one stock on one day',
    description:
      'The largest buyers and sellers among the brokers, and what all brokers came to by class. For a day or a market ' +
      `${WITHOUT_ROWS}. Broker codes are published after the close, so that there is nothing of a running day.`,
    answer: 'The brokers.',
    errors: ['not_found'],
  }),
  marketDataRoute({
    method: 'get',
    path: '/api/v1/data/stocks/{ticker}/brokers/window',
    operationId: 'getStockBrokerWindow',
    rpc: 'getBrokerWindow',
    summary: 'Who bought and who sold one stock over a window',
    description:
      'The same added up over the last `days` trading days of the dataset, for every broker by itself, and what each class ' +
      'did day by day. For a window ' +
      `${WITHOUT_ROWS}; \`trading_days\` says how many of its days have some.`,
    answer: 'The brokers.',
    errors: ['not_found'],
  }),
  marketDataRoute({
    method: 'get',
    path: '/api/v1/data/stocks/{ticker}/nego/brokers',
    operationId: 'getStockNegoBrokers',
    rpc: 'getNegoBrokers',
    summary: 'Who stood on which side of one stock’s negotiated trades of one day',
    description:
      'As the brokers of a day with `market=NEGO`, with both sides of each and the price that was paid. For a day ' +
      `${WITHOUT_ROWS}.`,
    answer: 'The brokers.',
    errors: ['not_found'],
  }),
  marketDataRoute({
    method: 'get',
    path: '/api/v1/data/stocks/{ticker}/brokers/{broker_code}/timeline',
    operationId: 'getBrokerTimeline',
    rpc: 'getBrokerTimeline',
    names: { broker: 'broker_code' },
    summary: 'What one broker did in one stock, day by day',
    description:
      'The last `days` calendar days up to the latest trading day of the dataset, with what follows from them: the first ' +
      'day of net buying, the first purchase of a billion, and since when the broker accumulates or distributes. A ' +
      'broker that did not trade the stock in the window is 404 `not_found`.',
    answer: 'The timeline.',
    errors: ['not_found'],
  }),
  marketDataRoute({
    method: 'get',
    path: '/api/v1/data/brokers/{broker_code}/stocks',
    operationId: 'listBrokerStocks',
    rpc: 'listBrokerStocks',
    names: { broker: 'broker_code' },
    summary: 'Stocks that one broker bought and sold most, net',
    description:
      'Over the last `days` trading days of the dataset. A broker without rows in the window is 404 `not_found`; one that ' +
      'bought as much as it sold of everything has two empty lists.',
    answer: 'The stocks.',
    errors: ['not_found'],
  }),
  marketDataRoute({
    method: 'get',
    path: '/api/v1/data/flows',
    operationId: 'listFlows',
    rpc: 'listFlows',
    summary: 'Stocks with the largest net flows',
    description:
      'What foreign investors, retail brokers or local institutions bought and sold, net, in the regular market over ' +
      'the last `days` trading days of the dataset. Names whose price already ran `max_price_change_pct` are skipped ' +
      'with either pattern; `min_accum_day_ratio` is demanded with `consistent` alone, and null in the answer otherwise. ' +
      'Foreign flows are the exchange’s own figures, valued at the ' +
      'average price of each day. Retail and bandar flows are added up from per-broker rows: while the rows of the ' +
      'dataset do not cover the window the answer is 404 `not_found`, and a stock that lacks those of a day on which ' +
      'it traded is left out.',
    answer: 'The stocks.',
    errors: ['not_found'],
  }),
  marketDataRoute({
    method: 'get',
    path: '/api/v1/data/stocks/{ticker}/nego',
    operationId: 'getStockNego',
    rpc: 'getNego',
    summary: 'Negotiated trading of one stock, day by day',
    description:
      'The last `days` trading days of the stock. `nego_premium` is (average price - close) / close, a fraction: ' +
      'positive when the blocks traded above the regular close.',
    answer: 'The days and what they come to.',
    errors: ['not_found'],
  }),
  marketDataRoute({
    method: 'get',
    path: '/api/v1/data/nego',
    operationId: 'scanNego',
    rpc: 'scanNego',
    summary: 'Stocks with notable negotiated trading on one day',
    description:
      'Largest negotiated value first. A day that is not a trading day of the dataset is 404 `not_found`; a trading ' +
      'day on which no stock reached `min_val` has no items.',
    answer: 'The stocks.',
    errors: ['not_found'],
  }),
  marketDataRoute({
    method: 'get',
    path: '/api/v1/data/nego/window',
    operationId: 'scanNegoWindow',
    rpc: 'scanNegoWindow',
    summary: 'Stocks with notable negotiated trading over a window',
    description:
      'The last `days` calendar days up to the latest trading day of the dataset. Each block counts against the close ' +
      'of its own day.',
    answer: 'The stocks.',
    errors: ['not_found'],
  }),
];

function tickersOf(list: string): string[] {
  const tickers = list.split(',').map((ticker) => ticker.trim().toUpperCase());
  const given = tickers.filter((ticker) => ticker !== '');
  if (given.length > 0) return given;
  const msg = 'must name at least one ticker, comma-separated';
  throw invalidRequest([{ loc: ['query', 'tickers'], msg, type: 'too_short', input: list }]);
}

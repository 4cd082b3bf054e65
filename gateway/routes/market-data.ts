import Type from 'typebox';
import { invalidRequest } from '#shared/invalid-request.ts';
import { codeOf } from '#shared/text/codes.ts';
import { descriptionOf } from '#shared/wire/message-schema.ts';
import { defineRoute } from '../routing/define-route.ts';
import { closed } from '../schemas/common.ts';
import type { MarketDataServiceService } from '#proto/saring/market_data/v1/market_data.ts';
import { responseOf, methodOf, serviceRoute } from './service-route.ts';

const TURNING_POINT =
  'Assesses whether the rise or fall of a stock over `lookback` trading days looks exhausted. The ' +
  'assessment uses how far the price went and where it is in its 60-day range, what foreign investors did ' +
  '(also local institutions and retail brokers if there are per-broker rows of all these days), heavy ' +
  'volume at an extreme, RSI and the moving-average crossover. It is a description, not a forecast. Branch ' +
  'only on `signal` and `score`.';

const WITHOUT_ROWS = 'without broker rows the response is 404 `not_found`';

type MarketDataRoute = Omit<
  Parameters<typeof serviceRoute>[0],
  'rpc' | 'tag' | 'access' | 'rests' | 'unknownIdCode'
> & { rpc: keyof MarketDataServiceService };

/** A route that reads the dataset. A malformed id in its path is answered with not_found. */
export function marketDataRoute({ rpc, ...route }: MarketDataRoute) {
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
    summary: 'Get the latest quotes',
    description:
      'Returns the close of each ticker on the latest trading day of the dataset. These are not live ' +
      'ticks. A ticker that is unknown or did not trade that day is left out of the response. An unknown universe ' +
      'is 404 `not_found`.',
    access: 'data:read',
    rests: 'on the dataset',
    query: closed({
      tickers: Type.String({
        minLength: 1,
        description: `Comma-separated. ${descriptionOf(methodOf(['marketData', 'getQuotes']).input.field['tickers']!)}`,
        examples: ['BBCA,BBRI,TLKM'],
      }),
    }),
    responses: { 200: { description: 'Quotes by ticker.', schema: responseOf(['marketData', 'getQuotes']) } },
    errors: ['too_many_tickers', 'not_found'],
    handler: ({ query }, call, { quotes }) => quotes.get(tickersOf(query.tickers), call),
  }),
  marketDataRoute({
    method: 'get',
    path: '/api/v1/data/stocks/{ticker}',
    operationId: 'getStock',
    rpc: 'getSnapshot',
    summary: 'Get a stock snapshot',
    description:
      'Returns daily bars of the regular market and about 40 features as of the latest bar. `days` sets ' +
      'the number of bars returned and does not change the features.',
    answer: 'The snapshot.',
    errors: ['not_found'],
  }),
  marketDataRoute({
    method: 'get',
    path: '/api/v1/data/stocks/{ticker}/actions',
    operationId: 'listStockActions',
    rpc: 'listActions',
    summary: 'List the corporate actions of a stock',
    description:
      'Lists splits, rights, dividends and other corporate actions, latest day first: those that the operator stated, and those ' +
      'that the exchange’s reference prices show. Adjusted prices of all endpoints restate what happened before them. Pass ' +
      '`next_cursor` as `cursor`, with the same parameters, until `has_more` is false.',
    answer: 'A page of corporate actions.',
    errors: ['not_found', 'invalid_cursor'],
  }),
  marketDataRoute({
    method: 'get',
    path: '/api/v1/data/universes',
    operationId: 'listUniverses',
    rpc: 'listUniverses',
    summary: 'List the universes of a day',
    description:
      'Lists the indices, the sharia list and the monitoring board, as far as the operator’s table of corporate actions states ' +
      'their members. A change of members counts once it has happened and is known: later changes never alter the answer of an ' +
      'earlier day. `universe:` and a name may stand wherever several tickers may, and /api/v1/data/stocks?universe= lists the ' +
      'members.',
    answer: 'The universes.',
    errors: ['not_found'],
  }),
  marketDataRoute({
    method: 'post',
    path: '/api/v1/data/compare',
    operationId: 'compareStocks',
    rpc: 'compare',
    summary: 'Compare stocks',
    description:
      'Returns the features of each stock as of its own last day, as in /api/v1/data/stocks/{ticker}, and ' +
      'statistics of each stock over the same last `days` trading days of the dataset. Unknown tickers ' +
      'are returned in `missing`. If all tickers are unknown, or a universe is, the response is 404 `not_found`. ' +
      'Duplicate tickers count once.',
    answer: 'The comparison.',
    errors: ['too_many_tickers', 'not_found'],
  }),
  marketDataRoute({
    method: 'get',
    path: '/api/v1/data/market-overview',
    operationId: 'getMarketOverview',
    rpc: 'getMarketOverview',
    ofCaller: ['language'],
    showsFreshness: true,
    summary: 'Get the market overview',
    description:
      'Returns the market regime, the number of stocks by direction, averages and the largest movers of ' +
      'the latest day. The numbers by direction cover all stocks that traded. Averages and movers cover ' +
      'the liquid stocks. `freshness` says whether days are missing, since when and why.',
    answer: 'The overview.',
    errors: [],
  }),
  marketDataRoute({
    method: 'get',
    path: '/api/v1/data/stocks/{ticker}/turning-point',
    operationId: 'getTurningPoint',
    rpc: 'getTurningPoint',
    ofCaller: ['language'],
    summary: 'Get the turning point of a stock',
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
    summary: 'List the turning points of several stocks',
    description:
      `${TURNING_POINT} Unknown tickers are returned in \`missing\`. If all tickers are unknown, or a universe is, the response ` +
      'is 404 `not_found`. One request for several stocks is cheaper than one request per stock.',
    answer: 'The turning points.',
    errors: ['too_many_tickers', 'not_found'],
  }),
  marketDataRoute({
    method: 'get',
    path: '/api/v1/data/stocks/{ticker}/brokers',
    operationId: 'getStockBrokers',
    rpc: 'getBrokers',
    summary: 'Get the brokers of a stock on one day',
    description:
      'Returns the largest buyers and sellers among the brokers, and totals of all brokers by class. For a day or a ' +
      `market ${WITHOUT_ROWS}. Broker codes are published after the close, so there are no rows of the current day.`,
    answer: 'The brokers.',
    errors: ['not_found'],
  }),
  marketDataRoute({
    method: 'get',
    path: '/api/v1/data/stocks/{ticker}/brokers/window',
    operationId: 'getStockBrokerWindow',
    rpc: 'getBrokerWindow',
    summary: 'Get the brokers of a stock over a window',
    description:
      'Returns buyers, sellers and totals added up over the last `days` trading days of the dataset, for each broker ' +
      'separately, and the trades of each broker class day by day. For a window ' +
      `${WITHOUT_ROWS}. \`trading_days\` is the number of its days that have rows.`,
    answer: 'The brokers.',
    errors: ['not_found'],
  }),
  marketDataRoute({
    method: 'get',
    path: '/api/v1/data/stocks/{ticker}/nego/brokers',
    operationId: 'getStockNegoBrokers',
    rpc: 'getNegoBrokers',
    summary: 'Get the brokers of a stock’s negotiated trades on one day',
    description:
      'Returns the same as the brokers of a day with `market=NEGO`, with both sides of each broker and the price paid. ' +
      `For a day ${WITHOUT_ROWS}.`,
    answer: 'The brokers.',
    errors: ['not_found'],
  }),
  marketDataRoute({
    method: 'get',
    path: '/api/v1/data/stocks/{ticker}/brokers/{broker_code}/timeline',
    operationId: 'getBrokerTimeline',
    rpc: 'getBrokerTimeline',
    names: { broker: 'broker_code' },
    summary: 'Get the timeline of a broker in a stock',
    description:
      'Returns the trades of the broker day by day over the last `days` calendar days up to the latest ' +
      'trading day of the dataset, and signals derived from them: the first day of net purchases, the ' +
      'first purchase of a billion IDR, and since when the broker has been accumulating or distributing. ' +
      'If the broker did not trade the stock in the window, the response is 404 `not_found`.',
    answer: 'The timeline.',
    errors: ['not_found'],
  }),
  marketDataRoute({
    method: 'get',
    path: '/api/v1/data/brokers/{broker_code}/stocks',
    operationId: 'listBrokerStocks',
    rpc: 'listBrokerStocks',
    names: { broker: 'broker_code' },
    summary: 'List the stocks of a broker',
    description:
      'Returns the stocks with the largest net purchases and net sales of the broker over the last `days` ' +
      'trading days of the dataset. If the broker has no rows in the window, the response is 404 ' +
      '`not_found`. If it bought as much as it sold of every stock, both lists are empty.',
    answer: 'The stocks.',
    errors: ['not_found'],
  }),
  marketDataRoute({
    method: 'get',
    path: '/api/v1/data/flows',
    operationId: 'listFlows',
    rpc: 'listFlows',
    summary: 'List the largest net flows',
    description:
      'Returns the stocks with the largest net purchases and net sales of foreign investors, retail ' +
      'brokers or local institutions in the regular market over the last `days` trading days of the ' +
      'dataset. Both patterns skip stocks whose price has already moved by more than ' +
      '`max_price_change_pct`. `min_accum_day_ratio` is required only with `consistent`, and is null in ' +
      'the response otherwise. Foreign flows are the figures of the exchange, valued at the average price ' +
      'of each day. Retail and bandar flows are added up from per-broker rows: if the rows of the dataset ' +
      'do not cover the window, the response is 404 `not_found`, and a stock that lacks the rows of a day ' +
      'on which it traded is left out.',
    answer: 'The stocks.',
    errors: ['not_found'],
  }),
  marketDataRoute({
    method: 'get',
    path: '/api/v1/data/stocks/{ticker}/nego',
    operationId: 'getStockNego',
    rpc: 'getNego',
    summary: 'Get the negotiated trading of a stock',
    description:
      'Returns the negotiated trading of the last `days` trading days of the stock, day by day. ' +
      '`nego_premium` is (average price - close) / close, a fraction: positive if the blocks traded above ' +
      'the regular close.',
    answer: 'The days and their totals.',
    errors: ['not_found'],
  }),
  marketDataRoute({
    method: 'get',
    path: '/api/v1/data/nego',
    operationId: 'scanNego',
    rpc: 'scanNego',
    summary: 'List stocks with negotiated trading on one day',
    description:
      'Returns the stocks with the largest negotiated value first. If the day is not a trading day of the ' +
      'dataset, the response is 404 `not_found`. If no stock reached `min_val` on a trading day, there ' +
      'are no items.',
    answer: 'The stocks.',
    errors: ['not_found'],
  }),
  marketDataRoute({
    method: 'get',
    path: '/api/v1/data/nego/window',
    operationId: 'scanNegoWindow',
    rpc: 'scanNegoWindow',
    summary: 'List stocks with negotiated trading over a window',
    description:
      'Returns the stocks with the largest negotiated value over the last `days` calendar days up to the ' +
      'latest trading day of the dataset. Each block is compared with the close of its own day.',
    answer: 'The stocks.',
    errors: ['not_found'],
  }),
];

function tickersOf(list: string): string[] {
  const tickers = list.split(',').map(codeOf);
  const given = tickers.filter((ticker) => ticker !== '');
  if (given.length > 0) return given;
  const msg = 'must name at least one ticker, comma-separated';
  throw invalidRequest([{ loc: ['query', 'tickers'], msg, type: 'too_short', input: list }]);
}

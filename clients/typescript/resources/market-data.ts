import type { BodyOf, CallOptions } from '../api-types.ts';
import { apart, asQuery, type Asked } from '../call-options.ts';
import type { Transport } from '../transport.ts';

type Stocks = '/api/v1/data/stocks/{ticker}';
type Compared = BodyOf<'post', '/api/v1/data/compare'>;
type Turning = BodyOf<'post', '/api/v1/data/turning-points'>;

/** Market data. Tickers may be in upper or lower case. */
export class MarketData {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Latest quotes by ticker, for at most 50 tickers. A ticker without a trade on the latest day is left out. */
  quotes(tickers: readonly string[], options: CallOptions = {}) {
    return this.#transport.get('/api/v1/data/quotes', { query: { tickers: tickers.join() }, ...options });
  }

  /** Bars and computed features of one stock. */
  stock(ticker: string, asked: Asked<Stocks> = {}) {
    return this.#transport.get('/api/v1/data/stocks/{ticker}', { path: { ticker }, ...asQuery(asked) });
  }

  /** At most 10 stocks side by side. */
  compare(tickers: Compared['tickers'], asked: Omit<Compared, 'tickers'> & CallOptions = {}) {
    const [fields, options] = apart(asked);
    return this.#transport.post('/api/v1/data/compare', { body: { tickers, ...fields }, ...options });
  }

  /** Regime, breadth and movers of the market. */
  overview(options: CallOptions = {}) {
    return this.#transport.get('/api/v1/data/market-overview', options);
  }

  /** Who bought and sold a stock on one day. */
  brokers(ticker: string, asked: Asked<`${Stocks}/brokers`> = {}) {
    return this.#transport.get('/api/v1/data/stocks/{ticker}/brokers', {
      path: { ticker },
      ...asQuery(asked),
    });
  }

  /** The same over several days. */
  brokersWindow(ticker: string, asked: Asked<`${Stocks}/brokers/window`> = {}) {
    const path = { ticker };
    return this.#transport.get('/api/v1/data/stocks/{ticker}/brokers/window', { path, ...asQuery(asked) });
  }

  /** What one broker traded in one stock, day by day. */
  brokerTimeline(
    ticker: string,
    broker: string,
    asked: Asked<`${Stocks}/brokers/{broker_code}/timeline`> = {},
  ) {
    const path = { ticker, broker_code: broker };
    return this.#transport.get('/api/v1/data/stocks/{ticker}/brokers/{broker_code}/timeline', {
      path,
      ...asQuery(asked),
    });
  }

  /** The stocks that a broker bought or sold most, by net value. */
  brokerStocks(broker: string, asked: Asked<'/api/v1/data/brokers/{broker_code}/stocks'> = {}) {
    const path = { broker_code: broker };
    return this.#transport.get('/api/v1/data/brokers/{broker_code}/stocks', { path, ...asQuery(asked) });
  }

  /** The market ranked by the net purchases of foreigners, retail or local institutions. */
  flows(asked: Asked<'/api/v1/data/flows'> = {}) {
    return this.#transport.get('/api/v1/data/flows', asQuery(asked));
  }

  /** Negotiated trades of one stock, day by day. */
  nego(ticker: string, asked: Asked<`${Stocks}/nego`> = {}) {
    return this.#transport.get('/api/v1/data/stocks/{ticker}/nego', { path: { ticker }, ...asQuery(asked) });
  }

  /** The brokers in the negotiated trades of a stock on one day. */
  negoBrokers(ticker: string, asked: Asked<`${Stocks}/nego/brokers`> = {}) {
    const path = { ticker };
    return this.#transport.get('/api/v1/data/stocks/{ticker}/nego/brokers', { path, ...asQuery(asked) });
  }

  /** The stocks with notable negotiated trades of one day. */
  negoScan(asked: Asked<'/api/v1/data/nego'> = {}) {
    return this.#transport.get('/api/v1/data/nego', asQuery(asked));
  }

  /** The same over several days. */
  negoScanWindow(asked: Asked<'/api/v1/data/nego/window'> = {}) {
    return this.#transport.get('/api/v1/data/nego/window', asQuery(asked));
  }

  /** Signs of a turning point in one stock. */
  turningPoint(ticker: string, asked: Asked<`${Stocks}/turning-point`> = {}) {
    const path = { ticker };
    return this.#transport.get('/api/v1/data/stocks/{ticker}/turning-point', { path, ...asQuery(asked) });
  }

  /** The same for at most 50 stocks, cheaper than one request each. */
  turningPoints(tickers: Turning['tickers'], asked: Omit<Turning, 'tickers'> & CallOptions = {}) {
    const [fields, options] = apart(asked);
    return this.#transport.post('/api/v1/data/turning-points', { body: { tickers, ...fields }, ...options });
  }
}

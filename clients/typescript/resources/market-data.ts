import type { BodyOf, CallOptions, PathOf } from '../api-types.ts';
import { apart, asQuery, Paged, type QueryOptions } from '../call-options.ts';
import type { Transport } from '../transport.ts';

type Stocks = '/api/v1/data/stocks/{ticker}';
type Compared = BodyOf<'post', '/api/v1/data/compare'>;
type Turning = BodyOf<'post', '/api/v1/data/turning-points'>;
/** Without `format`: CSV comes by `saring.rest.bytes`. */
type BarsOptions<P extends PathOf<'get'>> = Omit<QueryOptions<P>, 'format'>;

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
  stock(ticker: string, requested: QueryOptions<Stocks> = {}) {
    return this.#transport.get('/api/v1/data/stocks/{ticker}', { path: { ticker }, ...asQuery(requested) });
  }

  /** Splits, rights, dividends and other corporate actions of one stock, latest day first. `limit` is the size of a page. */
  actions(ticker: string, requested: QueryOptions<`${Stocks}/actions`> = {}) {
    const { query, ...options } = asQuery(requested);
    const path = { ticker };
    return new Paged(
      (from) =>
        this.#transport.get('/api/v1/data/stocks/{ticker}/actions', {
          path,
          query: { ...query, ...from },
          ...options,
        }),
      ({ actions }) => actions,
    );
  }

  /** The indices and other lists of stocks that are known on a day. `universe:LQ45` may stand in every list of tickers. */
  universes(requested: QueryOptions<'/api/v1/data/universes'> = {}) {
    return this.#transport.get('/api/v1/data/universes', asQuery(requested));
  }

  /** The stocks of the dataset: all of them, or those that a search and filters find. `limit` is the size of a page. */
  stocks(requested: QueryOptions<'/api/v1/data/stocks'> = {}) {
    const { query, ...options } = asQuery(requested);
    return new Paged(
      (from) => this.#transport.get('/api/v1/data/stocks', { query: { ...query, ...from }, ...options }),
      ({ stocks }) => stocks,
    );
  }

  /** Daily, weekly or monthly bars of one stock, oldest first. `limit` is the size of a page. */
  bars(ticker: string, requested: BarsOptions<`${Stocks}/bars`> = {}) {
    const { query, ...options } = asQuery(requested);
    const path = { ticker };
    return new Paged(
      (from) =>
        this.#transport.get('/api/v1/data/stocks/{ticker}/bars', {
          path,
          query: { ...query, ...from },
          ...options,
        }),
      ({ bars }) => bars,
    );
  }

  /** The bars of all stocks on one day. `limit` is the size of a page. */
  barsOfDay(requested: BarsOptions<'/api/v1/data/bars'> = {}) {
    const { query, ...options } = asQuery(requested);
    return new Paged(
      (from) => this.#transport.get('/api/v1/data/bars', { query: { ...query, ...from }, ...options }),
      ({ bars }) => bars,
    );
  }

  /** At most 10 stocks side by side. */
  compare(tickers: Compared['tickers'], requested: Omit<Compared, 'tickers'> & CallOptions = {}) {
    const [fields, options] = apart(requested);
    return this.#transport.post('/api/v1/data/compare', { body: { tickers, ...fields }, ...options });
  }

  /** Regime, breadth and movers of the market. */
  overview(options: CallOptions = {}) {
    return this.#transport.get('/api/v1/data/market-overview', options);
  }

  /** Who bought and sold a stock on one day. */
  brokers(ticker: string, requested: QueryOptions<`${Stocks}/brokers`> = {}) {
    return this.#transport.get('/api/v1/data/stocks/{ticker}/brokers', {
      path: { ticker },
      ...asQuery(requested),
    });
  }

  /** The same over several days. */
  brokersWindow(ticker: string, requested: QueryOptions<`${Stocks}/brokers/window`> = {}) {
    const path = { ticker };
    return this.#transport.get('/api/v1/data/stocks/{ticker}/brokers/window', {
      path,
      ...asQuery(requested),
    });
  }

  /** What one broker traded in one stock, day by day. */
  brokerTimeline(
    ticker: string,
    broker: string,
    requested: QueryOptions<`${Stocks}/brokers/{broker_code}/timeline`> = {},
  ) {
    const path = { ticker, broker_code: broker };
    return this.#transport.get('/api/v1/data/stocks/{ticker}/brokers/{broker_code}/timeline', {
      path,
      ...asQuery(requested),
    });
  }

  /** The stocks that a broker bought or sold most, by net value. */
  brokerStocks(broker: string, requested: QueryOptions<'/api/v1/data/brokers/{broker_code}/stocks'> = {}) {
    const path = { broker_code: broker };
    return this.#transport.get('/api/v1/data/brokers/{broker_code}/stocks', { path, ...asQuery(requested) });
  }

  /** The market ranked by the net purchases of foreigners, retail or local institutions. */
  flows(requested: QueryOptions<'/api/v1/data/flows'> = {}) {
    return this.#transport.get('/api/v1/data/flows', asQuery(requested));
  }

  /** Negotiated trades of one stock, day by day. */
  nego(ticker: string, requested: QueryOptions<`${Stocks}/nego`> = {}) {
    return this.#transport.get('/api/v1/data/stocks/{ticker}/nego', {
      path: { ticker },
      ...asQuery(requested),
    });
  }

  /** The brokers in the negotiated trades of a stock on one day. */
  negoBrokers(ticker: string, requested: QueryOptions<`${Stocks}/nego/brokers`> = {}) {
    const path = { ticker };
    return this.#transport.get('/api/v1/data/stocks/{ticker}/nego/brokers', { path, ...asQuery(requested) });
  }

  /** The stocks with notable negotiated trades of one day. */
  negoScan(requested: QueryOptions<'/api/v1/data/nego'> = {}) {
    return this.#transport.get('/api/v1/data/nego', asQuery(requested));
  }

  /** The same over several days. */
  negoScanWindow(requested: QueryOptions<'/api/v1/data/nego/window'> = {}) {
    return this.#transport.get('/api/v1/data/nego/window', asQuery(requested));
  }

  /** Signs of a turning point in one stock. */
  turningPoint(ticker: string, requested: QueryOptions<`${Stocks}/turning-point`> = {}) {
    const path = { ticker };
    return this.#transport.get('/api/v1/data/stocks/{ticker}/turning-point', { path, ...asQuery(requested) });
  }

  /** The same for at most 50 stocks, cheaper than one request each. */
  turningPoints(tickers: Turning['tickers'], requested: Omit<Turning, 'tickers'> & CallOptions = {}) {
    const [fields, options] = apart(requested);
    return this.#transport.post('/api/v1/data/turning-points', { body: { tickers, ...fields }, ...options });
  }
}

import type { MarketSample } from './market-sample.ts';

/** A request to the gateway. */
export interface BenchRequest {
  path: string;
  /** The JSON body of a POST request. */
  body?: object;
}

/** A kind of request. `nth` cycles through stocks, brokers and days. */
export interface RequestKind {
  what: string;
  nth: (n: number) => BenchRequest;
}

/** Requests for single stocks, the most expensive of each endpoint, and for the maximum of ten or fifty stocks. */
export function singleStockKinds({ tickers, brokers, negotiated, oldDays }: MarketSample): RequestKind[] {
  const stock = (n: number) => `/api/v1/data/stocks/${at(tickers, n)}`;
  // Every stock with each day, so that a recent read is not repeated soon.
  const oldDay = (n: number) => at(oldDays, Math.floor(n / tickers.length));
  return [
    get('quotes of 1', (n) => `/api/v1/data/quotes?tickers=${at(tickers, n)}`),
    get('quotes of 50', (n) => `/api/v1/data/quotes?tickers=${several(tickers, n, 50).join()}`),
    get('snapshot, 20 days', stock),
    get('snapshot, 250 days', (n) => `${stock(n)}?days=250`),
    get('bars, 1,000 days', (n) => `${stock(n)}/bars?limit=1000`),
    get('bars, 250 weeks', (n) => `${stock(n)}/bars?interval=week`),
    {
      what: 'compare 10 stocks',
      nth: (n) => ({ path: '/api/v1/data/compare', body: { tickers: several(tickers, n, 10) } }),
    },
    get('brokers, latest day', (n) => `${stock(n)}/brokers?top_n=50`),
    get('brokers, a day before those in memory', (n) => `${stock(n)}/brokers?top_n=50&date=${oldDay(n)}`),
    get('broker window, 120 days', (n) => `${stock(n)}/brokers/window?days=120&top_n=50`),
    get('broker timeline, 250 days', (n) => `${stock(n)}/brokers/${at(brokers, n)}/timeline?days=250`),
    get('nego, 250 days', (n) => `${stock(n)}/nego?days=250`),
    get('nego brokers, a day with some', (n) => {
      const { ticker, date } = at(negotiated, n);
      return `/api/v1/data/stocks/${ticker}/nego/brokers?top_n=50&date=${date}`;
    }),
    get('turning point', (n) => `${stock(n)}/turning-point?lookback=60`),
  ];
}

/** Requests for the whole market, each with its widest parameters. */
export function marketWideKinds({ tickers, brokers }: MarketSample): RequestKind[] {
  const flowTypes = ['foreign', 'retail', 'bandar'];
  const patterns = ['total', 'consistent'];
  return [
    get(
      'flows, 120 days, each type and pattern',
      (n) => `/api/v1/data/flows?days=120&top_n=100&flow_type=${at(flowTypes, n)}&pattern=${at(patterns, n)}`,
    ),
    get('nego of a day', () => '/api/v1/data/nego?min_val=0&top_n=100'),
    get('nego window, 120 days', () => '/api/v1/data/nego/window?days=120&min_val=0&top_n=100'),
    get('list of stocks', () => '/api/v1/data/stocks?limit=1000'),
    get('bars of a day', () => '/api/v1/data/bars'),
    get('market overview', () => '/api/v1/data/market-overview'),
    get(
      'stocks of a broker, 120 days',
      (n) => `/api/v1/data/brokers/${at(brokers, n)}/stocks?days=120&top_n=100`,
    ),
    {
      what: 'turning points of 50',
      nth: (n) => ({
        path: '/api/v1/data/turning-points',
        body: { tickers: several(tickers, n, 50), lookback: 60 },
      }),
    },
  ];
}

function get(what: string, pathOf: (n: number) => string): RequestKind {
  return { what, nth: (n) => ({ path: pathOf(n) }) };
}

function several(tickers: string[], n: number, count: number): string[] {
  return Array.from({ length: count }, (_, i) => at(tickers, n + i));
}

function at<T>(items: readonly T[], n: number): T {
  const item = items[n % items.length];
  if (item === undefined) throw new Error('the dataset has nothing of a kind to ask for');
  return item;
}

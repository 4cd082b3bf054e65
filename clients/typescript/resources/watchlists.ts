import type { BodyOf, CallOptions } from '../api-types.ts';
import { apart, asQuery, Paged, type QueryOptions } from '../call-options.ts';
import type { Transport } from '../transport.ts';

type One = '/api/v1/watchlists/{watchlist_id}';

/** Lists of tickers that end users keep. Every call is made for an end user. */
export class Watchlists {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  create(watchlist: BodyOf<'post', '/api/v1/watchlists'> & CallOptions) {
    const [body, options] = apart(watchlist);
    return this.#transport.post('/api/v1/watchlists', { body, ...options });
  }

  /** The watchlists that the end user may read, newest first. `limit` is the size of a page. */
  list(requested: QueryOptions<'/api/v1/watchlists'> = {}) {
    const { query, ...options } = asQuery(requested);
    return new Paged(
      (from) => this.#transport.get('/api/v1/watchlists', { query: { ...query, ...from }, ...options }),
      ({ watchlists }) => watchlists,
    );
  }

  get(watchlistId: string, options: CallOptions = {}) {
    const path = { watchlist_id: watchlistId };
    return this.#transport.get('/api/v1/watchlists/{watchlist_id}', { path, ...options });
  }

  replace(watchlistId: string, watchlist: BodyOf<'put', One> & CallOptions) {
    const [body, options] = apart(watchlist);
    const path = { watchlist_id: watchlistId };
    return this.#transport.put('/api/v1/watchlists/{watchlist_id}', { path, body, ...options });
  }

  delete(watchlistId: string, options: CallOptions = {}) {
    const path = { watchlist_id: watchlistId };
    return this.#transport.delete('/api/v1/watchlists/{watchlist_id}', { path, ...options });
  }
}

import type { ScreenedStocks } from '#proto/saring/market_data/v1/fields.ts';
import type { ScreenUniverse } from '#proto/saring/screens/v1/screens.ts';
import { invalidRequest } from '#foundation/errors/invalid-request.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import type { Caller } from '../store/owned-rows.ts';
import type { WatchlistStore } from '../store/watchlist-store.ts';

/** Resolves the watchlists that screens look among. */
export class Universes {
  readonly #watchlists: Pick<WatchlistStore, 'find'>;

  constructor(watchlists: Pick<WatchlistStore, 'find'>) {
    this.#watchlists = watchlists;
  }

  /**
   * The universe of a request as it is stored: null for all stocks.
   * @throws ServiceError invalid_request if it names more than one kind, or a watchlist that the caller cannot read
   */
  async checked(universe: ScreenUniverse | undefined, caller: Caller): Promise<ScreenUniverse | null> {
    if (universe === undefined) return null;
    const { sector, watchlist_id, tickers } = universe;
    const kinds = [sector !== undefined, watchlist_id !== undefined, tickers.length > 0].filter(Boolean);
    if (kinds.length === 0) return null;
    if (kinds.length > 1) {
      const msg = 'must name at most one of sector, watchlist_id and tickers';
      throw invalidRequest([{ loc: ['universe'], msg, type: 'value_error' }]);
    }
    if (watchlist_id !== undefined && !(await this.#watchlists.find(watchlist_id, caller))) {
      const msg = 'must be the id of a watchlist that the end user can read';
      throw invalidRequest([{ loc: ['universe', 'watchlist_id'], msg, type: 'value_error' }]);
    }
    return universe;
  }

  /**
   * The stocks of a stored universe at this moment.
   * @param owner the owner of the screen
   * @throws ServiceError watchlist_not_found if the owner cannot read the watchlist any more
   */
  async stocks(universe: ScreenUniverse | null, owner: Caller): Promise<ScreenedStocks | undefined> {
    if (universe === null) return undefined;
    const { sector, watchlist_id, tickers } = universe;
    if (watchlist_id === undefined) return { sector, tickers };
    const watchlist = await this.#watchlists.find(watchlist_id, owner);
    if (!watchlist) {
      const message = `The watchlist ${watchlist_id} of the screen does not exist any more. Replace the screen, or delete it.`;
      throw new ServiceError('watchlist_not_found', message);
    }
    return { sector: undefined, tickers: watchlist.tickers };
  }
}

import type { CreateWatchlistRequest } from '#proto/saring/screens/v1/watchlists.ts';
import type { Clock } from '#foundation/clock.ts';
import type { CursorSigner } from '#platform/paging/cursor.ts';
import type { IdSource } from '#foundation/ids.ts';
import { refuse } from '#foundation/errors/invalid-request.ts';
import { ServiceError, type FieldError } from '#foundation/errors/service-error.ts';
import { distinctCodes } from '#foundation/text/codes.ts';
import type { Caller, OwnershipLimits } from '../store/owned-rows.ts';
import { pageOf, type Page, type PageRequest } from '#platform/paging/pages.ts';
import type { WatchlistRow, WatchlistStore } from '../store/watchlist-store.ts';

interface WatchlistsDependencies {
  store: WatchlistStore;
  cursors: CursorSigner;
  limits: OwnershipLimits;
  clock: Clock;
  newId: IdSource;
}

type WatchlistRequest = Omit<CreateWatchlistRequest, keyof Caller>;

export class Watchlists {
  readonly #deps: WatchlistsDependencies;

  constructor(deps: WatchlistsDependencies) {
    this.#deps = deps;
  }

  /** @throws ServiceError invalid_request, also when a limit is reached */
  create(request: WatchlistRequest, { api_key_id, end_user }: Caller): Promise<WatchlistRow> {
    const { store, limits, clock, newId } = this.#deps;
    const now = clock();
    const watchlist = {
      watchlist_id: newId('wl'),
      api_key_id,
      end_user,
      ...fieldsOf(request),
      created_at: now,
      updated_at: now,
    };
    return store.insert(watchlist, limits);
  }

  /** @throws ServiceError invalid_cursor */
  list(page: PageRequest, { api_key_id, end_user }: Caller): Promise<Page<WatchlistRow>> {
    const { store, cursors } = this.#deps;
    const caller = { api_key_id, end_user };
    return pageOf(page, {
      cursors,
      scope: { list: 'watchlists', ...caller },
      read: (after, limit) => store.list(caller, after, limit),
      positionOf: ({ created_at, watchlist_id }) => ({ at: created_at.getTime(), id: watchlist_id }),
    });
  }

  /** @throws ServiceError watchlist_not_found */
  async get(id: string, caller: Caller): Promise<WatchlistRow> {
    const watchlist = await this.#deps.store.find(id, caller);
    if (!watchlist) throw new ServiceError('watchlist_not_found', 'There is no such watchlist.');
    return watchlist;
  }

  /** @throws ServiceError watchlist_not_found or invalid_request */
  async replace(id: string, request: WatchlistRequest, caller: Caller): Promise<WatchlistRow> {
    const { store, clock } = this.#deps;
    const change = { ...fieldsOf(request), updated_at: clock() };
    return (await store.replace(id, change, caller)) ?? this.#refuseOthers(id, caller);
  }

  /** @throws ServiceError watchlist_not_found */
  async delete(id: string, caller: Caller): Promise<void> {
    if (!(await this.#deps.store.delete(id, caller))) await this.#refuseOthers(id, caller);
  }

  /** Refuses to change a watchlist that the caller does not own. */
  async #refuseOthers(id: string, caller: Caller): Promise<never> {
    await this.get(id, caller);
    throw new ServiceError('watchlist_not_found', 'Only the owner of a shared watchlist can change it.');
  }
}

function fieldsOf({ name, tickers, shared }: WatchlistRequest) {
  const blank = tickers.flatMap((ticker, i): FieldError[] => {
    const msg = 'must be a ticker, not blank';
    return ticker.trim() === '' ? [{ loc: ['tickers', i], msg, type: 'value_error', input: ticker }] : [];
  });
  refuse(blank);
  return { name: name.trim(), tickers: distinctCodes(tickers), shared };
}

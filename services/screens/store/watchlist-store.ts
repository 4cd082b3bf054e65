import type { Kysely, Selectable } from 'kysely';
import type { Position } from '#platform/paging/cursor.ts';
import { isAfter, isOwn, isReadable, requireRoom, type Caller, type OwnershipLimits } from './owned-rows.ts';
import type { ScreensTables, WatchlistTable } from './tables.ts';

export type WatchlistRow = Selectable<WatchlistTable>;

/** A text that cannot be an id is not queried: the database would report a NUL in it as a bug of this service. */
const WATCHLIST_ID = /^wl_[0-9a-f]{24}$/;

export class WatchlistStore {
  readonly #db: Kysely<ScreensTables>;

  constructor(db: Kysely<ScreensTables>) {
    this.#db = db;
  }

  /** @throws ServiceError invalid_request that names a limit which it would exceed */
  insert({ tickers, ...row }: WatchlistRow, limits: OwnershipLimits): Promise<WatchlistRow> {
    return this.#db.transaction().execute(async (tx) => {
      await requireRoom(tx, 'watchlist', row, limits);
      const values = { ...row, tickers: JSON.stringify(tickers) };
      return tx.insertInto('watchlist').values(values).returningAll().executeTakeFirstOrThrow();
    });
  }

  /** Newest first. */
  list(caller: Caller, after: Position | undefined, limit: number): Promise<WatchlistRow[]> {
    return this.#db
      .selectFrom('watchlist')
      .selectAll()
      .where(isReadable('watchlist', caller))
      .$if(after !== undefined, (query) => query.where(isAfter('watchlist', after!)))
      .orderBy('created_at', 'desc')
      .orderBy('watchlist_id', 'desc')
      .limit(limit)
      .execute();
  }

  /** Undefined also if the caller may not read it. */
  async find(id: string, caller: Caller): Promise<WatchlistRow | undefined> {
    if (!WATCHLIST_ID.test(id)) return undefined;
    return this.#db
      .selectFrom('watchlist')
      .selectAll()
      .where('watchlist_id', '=', id)
      .where(isReadable('watchlist', caller))
      .executeTakeFirst();
  }

  /** Undefined if the caller does not own it. */
  async replace(
    id: string,
    { tickers, ...change }: Pick<WatchlistRow, 'name' | 'tickers' | 'shared' | 'updated_at'>,
    caller: Caller,
  ): Promise<WatchlistRow | undefined> {
    if (!WATCHLIST_ID.test(id)) return undefined;
    return this.#db
      .updateTable('watchlist')
      .set({ ...change, tickers: JSON.stringify(tickers) })
      .where('watchlist_id', '=', id)
      .where(isOwn('watchlist', caller))
      .returningAll()
      .executeTakeFirst();
  }

  /** False if the caller does not own it. */
  async delete(id: string, caller: Caller): Promise<boolean> {
    if (!WATCHLIST_ID.test(id)) return false;
    const { numDeletedRows } = await this.#db
      .deleteFrom('watchlist')
      .where('watchlist_id', '=', id)
      .where(isOwn('watchlist', caller))
      .executeTakeFirstOrThrow();
    return numDeletedRows > 0n;
  }
}

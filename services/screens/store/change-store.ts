import { removeSome } from '#platform/postgres/purge-expired.ts';
import { sql, type Kysely, type Selectable } from 'kysely';
import type { ScreenOfStock } from '#proto/saring/screens/v1/screens.ts';
import { isReadable, type Caller } from './owned-rows.ts';
import type { ScreenChangeTable, ScreensTables } from './tables.ts';

export type ChangeRow = Selectable<ScreenChangeTable>;

interface ChangesOf {
  screen_id: string;
  market: string;
  /** First day, YYYY-MM-DD. */
  from: string | undefined;
  /** Only earlier days. */
  before: string | undefined;
  limit: number;
}

/** Reads the table `screen_change`, and the members in `screen_place`. */
export class ChangeStore {
  readonly #db: Kysely<ScreensTables>;

  constructor(db: Kysely<ScreensTables>) {
    this.#db = db;
  }

  /** Newest first. */
  list({ screen_id, market, from, before, limit }: ChangesOf): Promise<ChangeRow[]> {
    return this.#db
      .selectFrom('screen_change')
      .selectAll()
      .where('screen_id', '=', screen_id)
      .where('market', '=', market)
      .$if(from !== undefined, (query) => query.where('as_of', '>=', from!))
      .$if(before !== undefined, (query) => query.where('as_of', '<', before!))
      .orderBy('as_of', 'desc')
      .limit(limit)
      .execute();
  }

  /** Screens that a caller may read and that hold a stock in their newest result. A screen whose rules fail holds none. */
  async holding(ticker: string, market: string, caller: Caller): Promise<ScreenOfStock[]> {
    const { rows } = await sql<ScreenOfStock>`
      select screen.screen_id, name, screen.version, as_of, dataset_version,
        array_position(tickers, ${ticker}) as place
      from screen join screen_place using (screen_id, version)
      where market = ${market} and ${isReadable('screen', caller)} and failure is null and ${ticker} = any(tickers)
      order by name, screen.screen_id`.execute(this.#db);
    return rows;
  }

  /** Removes changes recorded before this moment, at most `limit`. Returns how many it removed. */
  purge(before: Date, limit: number): Promise<number> {
    const key = ['screen_id', 'market', 'as_of'];
    return removeSome(this.#db, { table: 'screen_change', key, where: sql`recorded_at < ${before}`, limit });
  }
}

import { removeSome } from '#platform/postgres/purge-expired.ts';
import type { ErrorTexts } from '#models/inputs/run-errors.ts';
import { keysExpiredAt } from '#platform/postgres/claimed-rows.ts';
import { isPostgresUnavailable } from '#platform/postgres/postgres-unavailable.ts';
import { sql, type Kysely, type Selectable } from 'kysely';
import { unavailable } from './unavailable.ts';
import type { BackfillPageTable, BackfillTable, ModelsTables } from './tables.ts';

export type BackfillRow = Selectable<BackfillTable>;
export type BackfillPageRow = Selectable<BackfillPageTable>;

/** A backfill with the number of its days that have a page, that failed, and among these the ones that no worker could run. */
export type CountedBackfill = BackfillRow & { done: number; failed: number; lost: number };

type NewBackfill = Omit<
  BackfillRow,
  'status' | 'moved_at' | 'finished_at' | 'error_message' | 'error_english'
>;

export class BackfillStore {
  readonly #db: Kysely<ModelsTables>;

  constructor(db: Kysely<ModelsTables>) {
    this.#db = db;
  }

  /**
   * Inserts the backfill, unless its idempotency key has started one, which is then returned, or the key already has
   * `maxRunning` running. Submissions of one API key take turns.
   * @throws ServiceError model_unavailable, in doubt, if the database did not say whether it has committed
   */
  insert(
    backfill: NewBackfill,
    maxRunning: number,
  ): Promise<{ begun: BackfillRow } | { earlier: BackfillRow } | 'too many'> {
    const { api_key_id, idempotency_key, created_at } = backfill;
    let isInserted = false;
    const inserting = this.#db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`backfill ${api_key_id}`}, 0))`.execute(tx);
      const held = () =>
        tx.selectFrom('backfill').selectAll().where('api_key_id', '=', api_key_id).$castTo<BackfillRow>();
      if (idempotency_key !== null) {
        await tx
          .updateTable('backfill')
          .set({ idempotency_key: null })
          .where('api_key_id', '=', api_key_id)
          .where('idempotency_key', '=', idempotency_key)
          .where('created_at', '<=', keysExpiredAt(created_at))
          .execute();
        const earlier = await held().where('idempotency_key', '=', idempotency_key).executeTakeFirst();
        if (earlier) return { earlier };
      }
      const running = await held().where('status', '=', 'running').limit(maxRunning).execute();
      if (running.length === maxRunning) return 'too many';
      const row = { ...backfill, params: JSON.stringify(backfill.params), status: 'running' as const };
      const begun = await tx.insertInto('backfill').values(row).returningAll().executeTakeFirstOrThrow();
      isInserted = true;
      return { begun };
    });
    return inserting.catch((error: unknown) => {
      throw isInserted && isPostgresUnavailable(error) ? unavailable(error, { isInDoubt: true }) : error;
    });
  }

  /** Undefined also if it belongs to another key. */
  find(backfillId: string, apiKeyId: string): Promise<CountedBackfill | undefined> {
    return this.#counted()
      .where('backfill_id', '=', backfillId)
      .where('api_key_id', '=', apiKeyId)
      .executeTakeFirst();
  }

  newestOf(apiKeyId: string, limit: number): Promise<CountedBackfill[]> {
    return this.#counted()
      .where('api_key_id', '=', apiKeyId)
      .orderBy('created_at', 'desc')
      .orderBy('backfill_id', 'desc')
      .limit(limit)
      .execute();
  }

  /** The newest backfill of a key with these parameters that has succeeded and has each of the days. */
  async findCovering(
    { api_key_id, model_id, params }: Pick<BackfillRow, 'api_key_id' | 'model_id' | 'params'>,
    days: readonly string[],
  ): Promise<string | undefined> {
    const found = await this.#db
      .selectFrom('backfill')
      .select('backfill_id')
      .where('api_key_id', '=', api_key_id)
      .where('model_id', '=', model_id)
      .where('status', '=', 'succeeded')
      .where(sql<boolean>`params = ${JSON.stringify(params)}::jsonb`)
      .where(sql<boolean>`days @> ${days}::text[]`)
      .orderBy('created_at', 'desc')
      .executeTakeFirst();
    return found?.backfill_id;
  }

  /** The picks of these days, ascending. */
  tickersOf(
    backfillId: string,
    days: readonly string[],
  ): Promise<Pick<BackfillPageRow, 'as_of' | 'tickers'>[]> {
    return this.#db
      .selectFrom('backfill_page')
      .select(['as_of', 'tickers'])
      .where('backfill_id', '=', backfillId)
      .where(sql<boolean>`as_of = any(${days})`)
      .orderBy('as_of')
      .execute();
  }

  pages(backfillId: string, after: string, limit: number): Promise<BackfillPageRow[]> {
    return this.#db
      .selectFrom('backfill_page')
      .selectAll()
      .where('backfill_id', '=', backfillId)
      .where('as_of', '>', after)
      .orderBy('as_of')
      .limit(limit)
      .execute();
  }

  /**
   * Inserts a page once; ignores it if the backfill has ended or does not include that day. Returns the backfill if it
   * is still running.
   */
  async addPage(page: BackfillPageRow, at: Date): Promise<CountedBackfill | undefined> {
    await this.#db.transaction().execute(async (tx) => {
      const wanted = await tx
        .updateTable('backfill')
        .set({ moved_at: at })
        .where('backfill_id', '=', page.backfill_id)
        .where('status', '=', 'running')
        .where(sql<boolean>`${page.as_of} = any(days)`)
        .returning('backfill_id')
        .executeTakeFirst();
      if (!wanted) return;
      await tx
        .insertInto('backfill_page')
        .values({ ...page, english: JSON.stringify(page.english) })
        .onConflict((taken) => taken.doNothing())
        .execute();
    });
    return this.#counted()
      .where('backfill_id', '=', page.backfill_id)
      .where('status', '=', 'running')
      .executeTakeFirst();
  }

  running(): Promise<CountedBackfill[]> {
    return this.#counted().where('status', '=', 'running').orderBy('created_at').execute();
  }

  async missingDays({ backfill_id, days }: BackfillRow): Promise<string[]> {
    const pages = await this.#db
      .selectFrom('backfill_page')
      .select('as_of')
      .where('backfill_id', '=', backfill_id)
      .execute();
    const done = new Set(pages.map(({ as_of }) => as_of));
    return days.filter((day) => !done.has(day));
  }

  /** Changes a running backfill, or ends it. Returns whether it was running. */
  async change(
    backfillId: string,
    change: ({ moved_at: Date } | { status: 'succeeded' | 'failed'; finished_at: Date }) &
      Partial<ErrorTexts>,
  ): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable('backfill')
      .set(change)
      .where('backfill_id', '=', backfillId)
      .where('status', '=', 'running')
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }

  /** Removes backfills that ended before `before`, with their pages. Returns how many. */
  purge(before: Date, limit: number): Promise<number> {
    const where = sql`finished_at < ${before}`;
    return removeSome(this.#db, { table: 'backfill', key: ['backfill_id'], where, limit });
  }

  #counted() {
    const pages = sql`from backfill_page page where page.backfill_id = backfill.backfill_id`;
    return this.#db
      .selectFrom('backfill')
      .selectAll()
      .select([
        sql<number>`(select count(*)::int ${pages})`.as('done'),
        sql<number>`(select count(*)::int ${pages} and result_json is null)`.as('failed'),
        // A day that ran names the dataset that it read, also if it failed.
        sql<number>`(select count(*)::int ${pages} and result_json is null and dataset_version is null)`.as(
          'lost',
        ),
      ]);
  }
}

import { sql, type Kysely } from 'kysely';
import type { EndUserOf } from '#shared/end-users/end-user-data.ts';
import { belongsTo, rowsOfEndUser } from '#shared/end-users/end-user-rows.ts';
import type { BackfillPageRow, BackfillRow } from './backfill-store.ts';
import type { ModelsTables, RunRow } from './tables.ts';

type Unfinished = { id: string; api_key_id: string };

/** The rows of an end user in every table of the service. */
export class EndUserRunStore {
  readonly #db: Kysely<ModelsTables>;

  constructor(db: Kysely<ModelsTables>) {
    this.#db = db;
  }

  runs(of: EndUserOf): AsyncIterable<RunRow> {
    return rowsOfEndUser<RunRow>(this.#db, { table: 'run', id: 'job_id' }, of);
  }

  backfills(of: EndUserOf): AsyncIterable<BackfillRow> {
    return rowsOfEndUser<BackfillRow>(this.#db, { table: 'backfill', id: 'backfill_id' }, of);
  }

  /** One at a time, since each holds a whole result. */
  async *pages({ backfill_id, days }: BackfillRow): AsyncGenerator<BackfillPageRow> {
    for (const day of days) {
      const page = await this.#db
        .selectFrom('backfill_page')
        .selectAll()
        .where('backfill_id', '=', backfill_id)
        .where('as_of', '=', day)
        .executeTakeFirst();
      if (page) yield page;
    }
  }

  unfinishedRuns(of: EndUserOf): Promise<Unfinished[]> {
    return this.#db
      .selectFrom('run')
      .select(['job_id as id', 'api_key_id'])
      .where(belongsTo(of))
      .where('status', 'in', ['queued', 'running'])
      .execute();
  }

  runningBackfills(of: EndUserOf): Promise<Unfinished[]> {
    return this.#db
      .selectFrom('backfill')
      .select(['backfill_id as id', 'api_key_id'])
      .where(belongsTo(of))
      .where('status', '=', 'running')
      .execute();
  }

  /** Runs that have ended, of which usage and workers know. Nothing else refers to them any more. */
  async settledRuns(of: EndUserOf, limit: number): Promise<string[]> {
    const rows = await this.#db
      .selectFrom('run')
      .select('job_id')
      .where(belongsTo(of))
      .where('finished_at', 'is not', null)
      .where('cancel_due', 'is', null)
      .whereRef('usage_published', '=', 'usage_due')
      .limit(limit)
      .execute();
    return rows.map(({ job_id }) => job_id);
  }

  async countRuns(of: EndUserOf): Promise<number> {
    const { runs } = await this.#db
      .selectFrom('run')
      .select(sql<number>`count(*)::int`.as('runs'))
      .where(belongsTo(of))
      .executeTakeFirstOrThrow();
    return runs;
  }

  /** Removes the runs and what leads to them. Returns how many of them have an entry in the record. */
  removeRuns(jobIds: string[]): Promise<{ recorded: number }> {
    return this.#db.transaction().execute(async (tx) => {
      for (const table of ['idempotency_key', 'submission'] as const)
        await tx.deleteFrom(table).where('job_id', 'in', jobIds).execute();
      const removed = await tx
        .deleteFrom('run')
        .where('job_id', 'in', jobIds)
        .returning('record_seq')
        .execute();
      return { recorded: removed.filter(({ record_seq }) => record_seq !== null).length };
    });
  }

  /** Removes ended backfills with their pages. Returns how many. */
  async removeBackfills(of: EndUserOf): Promise<number> {
    const { numDeletedRows } = await this.#db
      .deleteFrom('backfill')
      .where(belongsTo(of))
      .where('status', '!=', 'running')
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  }
}

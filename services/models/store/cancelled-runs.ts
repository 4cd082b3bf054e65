import { sql, type Kysely } from 'kysely';
import type { Outbox } from '#platform/postgres/outbox.ts';
import { CANCELLATION } from '#models/inputs/run-errors.ts';
import { isFinal, ON_CANCEL, type RunState } from './run-states.ts';
import { eventsOfRun } from './ended-run-events.ts';
import { countRun } from './run-counts.ts';
import type { ModelsTables, RunRow } from './tables.ts';

const CANCELLABLE = Object.keys(ON_CANCEL) as (keyof typeof ON_CANCEL)[];
const ENDED_AT_ONCE = CANCELLABLE.filter((state) => isFinal(ON_CANCEL[state]));

/** The cancellation columns of the table `run`. */
export class CancelledRuns {
  readonly #db: Kysely<ModelsTables>;
  readonly #outbox: Outbox<ModelsTables>;

  constructor(db: Kysely<ModelsTables>, outbox: Outbox<ModelsTables>) {
    this.#db = db;
    this.#outbox = outbox;
  }

  /** Cancels the run according to `ON_CANCEL`. Undefined if it had already ended. Its key is told if that ends it. */
  async cancel(jobId: string, at: Date): Promise<RunRow | undefined> {
    const cancelled = await this.#outbox.inTransaction(async (tx) => {
      const run = await this.#cancel(tx, jobId, at);
      if (run) await this.#outbox.put(tx, eventsOfRun(run));
      return run;
    });
    if (cancelled && isFinal(cancelled.status)) countRun(cancelled);
    return cancelled;
  }

  #cancel(tx: Kysely<ModelsTables>, jobId: string, at: Date): Promise<RunRow | undefined> {
    const next = sql.join(
      CANCELLABLE.map((state) => sql`when ${state} then ${ON_CANCEL[state]}`),
      sql` `,
    );
    return tx
      .updateTable('run')
      .set((run) => {
        const endsNow = run.case().when('status', 'in', ENDED_AT_ONCE);
        const { error_code, error_message, error_english } = CANCELLATION;
        return {
          status: sql<RunState>`case status ${next} end`,
          cancelled_at: run.fn.coalesce('cancelled_at', run.val(at)),
          finished_at: endsNow.then(at).else(run.ref('finished_at')).end(),
          error_code: endsNow.then(error_code).else(run.ref('error_code')).end(),
          error_message: endsNow.then(error_message).else(run.ref('error_message')).end(),
          error_english: endsNow.then(error_english).else(run.ref('error_english')).end(),
        };
      })
      .where('job_id', '=', jobId)
      .where('status', 'in', CANCELLABLE)
      .returningAll()
      .executeTakeFirst();
  }

  /** Cancelled runs whose workers still need a signal, oldest cancellation first. */
  due(limit: number): Promise<RunRow[]> {
    return this.#db
      .selectFrom('run')
      .selectAll()
      .where('cancel_due', 'is not', null)
      .orderBy('cancelled_at')
      .limit(limit)
      .execute();
  }

  async markWithdrawn(jobId: string, at: Date): Promise<void> {
    await this.#db.updateTable('run').set({ withdrawn_at: at }).where('job_id', '=', jobId).execute();
  }
}

import { sql, type Kysely, type RawBuilder, type Selectable, type UpdateObject } from 'kysely';
import { CANCELLED_MESSAGE } from '#shared/run-cancelled.ts';
import { endOfCancelled, statesBefore, type FinalState, type RunState } from '../run-states.ts';
import type { UsageState } from '../usage-state.ts';
import { insertRun, type NewRun, type Repeatable } from './insert-run.ts';
import type { ModelsTables, RunTable } from './tables.ts';

export type RunRow = Selectable<RunTable>;

/** What is known of a run that ended; absent members stay as they are in the row. */
export interface RunEnd {
  status: FinalState;
  finished_at: Date;
  started_at?: Date | undefined;
  dataset_version?: string | undefined;
  pick_count?: number | undefined;
  tickers?: string[] | undefined;
  target_date?: string | undefined;
  error_message?: string | undefined;
}

/** The table `run`: what happened to every accepted run. */
export class RunStore {
  readonly #db: Kysely<ModelsTables>;

  constructor(db: Kysely<ModelsTables>) {
    this.#db = db;
  }

  /** Undefined when it is too late, or when the idempotency key has begun another run; see `insertRun`. */
  insert(run: NewRun, leftMs: () => number, repeatable?: Repeatable): Promise<RunRow | undefined> {
    return insertRun(this.#db, run, leftMs, repeatable);
  }

  /** Undefined as well when the job belongs to another key. */
  find(jobId: string, apiKeyId: string): Promise<RunRow | undefined> {
    return this.#db
      .selectFrom('run')
      .selectAll()
      .where('job_id', '=', jobId)
      .where('api_key_id', '=', apiKeyId)
      .executeTakeFirst();
  }

  newestOf(apiKeyId: string, limit: number): Promise<RunRow[]> {
    return this.#db
      .selectFrom('run')
      .selectAll()
      .where('api_key_id', '=', apiKeyId)
      .orderBy('created_at', 'desc')
      .orderBy('job_id', 'desc')
      .limit(limit)
      .execute();
  }

  /** Undefined when the run was not waiting any more. */
  start(jobId: string, startedAt: Date): Promise<RunRow | undefined> {
    return this.#move(jobId, 'running', { status: 'running', started_at: startedAt });
  }

  /** Undefined when the run had already ended. The end of one that was cancelled meanwhile may be another. */
  end(jobId: string, end: RunEnd): Promise<RunRow | undefined> {
    const { status, error_message = null } = end;
    const ofCancelled = endOfCancelled(status);
    if (ofCancelled === status) return this.#move(jobId, status, end);
    return this.#move(jobId, status, {
      ...end,
      status: unlessCancelled(status, ofCancelled),
      error_message: unlessCancelled(error_message, CANCELLED_MESSAGE),
    });
  }

  async runningJobs(): Promise<string[]> {
    const rows = await this.#db.selectFrom('run').select('job_id').where('status', '=', 'running').execute();
    return rows.map((row) => row.job_id);
  }

  /** Oldest waiting runs accepted before `acceptedBefore` whose request no stream took since `requestedBefore`. */
  unrequested(acceptedBefore: Date, requestedBefore: Date, limit: number): Promise<RunRow[]> {
    return this.#db
      .selectFrom('run')
      .selectAll()
      .where('status', '=', 'queued')
      .where('created_at', '<', acceptedBefore)
      .where((run) => run('requested_at', 'is', null).or('requested_at', '<', requestedBefore))
      .orderBy('created_at')
      .limit(limit)
      .execute();
  }

  async markRequested(jobId: string, at: Date): Promise<void> {
    await this.#db.updateTable('run').set({ requested_at: at }).where('job_id', '=', jobId).execute();
  }

  /** Oldest runs of which the usage stream does not know the present state. */
  unrecorded(acceptedBefore: Date, limit: number): Promise<RunRow[]> {
    return this.#db
      .selectFrom('run')
      .selectAll()
      .whereRef('usage_published', 'is distinct from', 'usage_due')
      .where('created_at', '<', acceptedBefore)
      .orderBy('created_at')
      .limit(limit)
      .execute();
  }

  /** `started` never takes the place of a final state. */
  async markRecorded(jobId: string, state: UsageState): Promise<void> {
    await this.#db
      .updateTable('run')
      .set({ usage_published: state })
      .where('job_id', '=', jobId)
      .$if(state === 'started', (update) => update.where('usage_published', 'is', null))
      .execute();
  }

  /** Removes runs that ended before `before` and are recorded. Returns how many. */
  async purge(before: Date, limit: number): Promise<number> {
    const old = this.#db
      .selectFrom('run')
      .select('job_id')
      .where('finished_at', '<', before)
      .whereRef('usage_published', '=', 'usage_due')
      .limit(limit);
    const { numDeletedRows } = await this.#db
      .deleteFrom('run')
      .where('job_id', 'in', old)
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  }

  /** Compare and set along the table of allowed transitions. */
  #move(
    jobId: string,
    next: RunState,
    change: UpdateObject<ModelsTables, 'run'>,
  ): Promise<RunRow | undefined> {
    return this.#db
      .updateTable('run')
      .set(change)
      .where('job_id', '=', jobId)
      .where('status', 'in', statesBefore(next))
      .returningAll()
      .executeTakeFirst();
  }
}

function unlessCancelled<T>(value: T, ofCancelled: T): RawBuilder<T> {
  return sql<T>`case when cancelled_at is null then ${value} else ${ofCancelled} end`;
}

import { removeSome } from '#platform/postgres/purge-expired.ts';
import { sql, type Kysely, type RawBuilder, type Transaction, type UpdateObject } from 'kysely';
import type { RecordedPicks, RunFinished, ScoredStock } from '#proto/saring/events/v1/runs.ts';
import type { RunSummary } from '#proto/saring/wire/v1/run_summary.ts';
import type { GetQueueResponse } from '#proto/saring/models/v1/runs.ts';
import type { Claims } from '#platform/postgres/claimed-rows.ts';
import type { Outbox } from '#platform/postgres/outbox.ts';
import { isPostgresUnavailable } from '#platform/postgres/postgres-unavailable.ts';
import { CANCELLATION } from '#models/inputs/run-errors.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import {
  endOfCancelled,
  statesBefore,
  type FinalState,
  type RunState,
  type UsageState,
} from './run-states.ts';
import { isTestKey } from '#foundation/test-market.ts';
import { CANARY, isCanary, isDaily, OPERATOR, OWN_IDS } from '#shared/runs/operator-runs.ts';
import { eventsOfRun } from './ended-run-events.ts';
import { holdDailyResult } from './daily-result-store.ts';
import { claimedRuns, insertRun, type ClaimedRuns, type NewRun } from './insert-run.ts';
import type { RecordStore } from './record-store.ts';
import { queueOver } from './run-queue.ts';
import { countRun } from './run-counts.ts';
import type { ModelsTables, RunRow } from './tables.ts';

/**
 * The result of a run. Absent members leave the row unchanged. If it succeeded, its picks go on record, and the scores of a daily run
 * to market-data.
 */
export type RunEnd = Partial<
  Omit<RunFinished, 'job_id' | 'summary'> & Pick<RunSummary, 'pick_count' | 'tickers'>
> & {
  status: FinalState;
  finished_at: Date;
};

/** What the usage ledger is compared with. */
export type RecordedRun = Pick<RunRow, 'job_id' | 'event_id' | 'api_key_id' | 'created_at' | 'usage_due'>;

/** Filters runs of all keys. An undefined member matches any value. */
export interface RunFilter {
  job_id?: string | undefined;
  status?: RunState | undefined;
  model_id?: string | undefined;
  api_key_id?: string | undefined;
}

export interface RecordedSpan {
  /** Accepted or ended at or after this time; undefined for all. */
  since: Date | undefined;
  /** Accepted and, if ended, ended before this time. */
  settledBefore: Date;
  /** Starts after this run; undefined starts with the newest. */
  after: Pick<RunRow, 'created_at' | 'job_id'> | undefined;
}

/** Runs that are queued but not in the stream. */
interface UnrequestedRuns {
  /** How many unfinished runs each key may have in the stream. */
  ofEachKey: number;
  limit: number;
  /** Undefined for those of all keys. */
  apiKeyId?: string;
  acceptedBefore?: Date;
  requestedBefore?: Date;
}

/** Runs for which workers are needed now: not those that wait for a trading day, nor the service's own. */
const TAKES_TURNS = sql`status in ('queued', 'running') and trading_day is null
  and api_key_id not in (${sql.join(OWN_IDS)})`;

/** How long a refusal counts. Nothing retries automatically. */
const OF_LATE_MS = 10_000;

/** The table `run`: the history of every accepted run. */
export class RunStore {
  readonly #db: Kysely<ModelsTables>;
  readonly #record: Pick<RecordStore, 'appendRun'>;
  readonly #outbox: Outbox<ModelsTables>;
  readonly claimed: ClaimedRuns;
  #refusedAtMs = -Infinity;

  constructor(
    db: Kysely<ModelsTables>,
    record: Pick<RecordStore, 'appendRun'>,
    outbox: Outbox<ModelsTables>,
  ) {
    this.#db = db;
    this.#record = record;
    this.#outbox = outbox;
    this.claimed = claimedRuns(db);
  }

  /** Undefined if the time is over or a claim is taken; see `insertRun`. */
  async insert(run: NewRun, leftMs: () => number, claims: Claims = {}): Promise<RunRow | undefined> {
    try {
      const written = await insertRun(this.#db, run, leftMs, claims);
      if (written) countRun(written);
      this.#refusedAtMs = -Infinity;
      return written;
    } catch (error) {
      if (error instanceof ServiceError || isPostgresUnavailable(error))
        this.#refusedAtMs = performance.now();
      throw error;
    }
  }

  /** Whether the database failed to store the last submitted run, and did so within the last seconds. */
  get hasRefusedOfLate(): boolean {
    return performance.now() - this.#refusedAtMs < OF_LATE_MS;
  }

  /** Commits a message that is in no table but is written to disk like any commit. */
  async write(): Promise<void> {
    await sql`select pg_logical_emit_message(true, 'saring', '')`.execute(this.#db);
  }

  /** Whether a run accepted before `acceptedBefore` is still queued, waiting for a worker and not for a trading day. */
  hasWaiting(acceptedBefore: Date): Promise<boolean> {
    return this.#has(sql`status = 'queued' and created_at < ${acceptedBefore} and trading_day is null`);
  }

  /** Whether any run other than a canary is queued or running. */
  hasUnfinished(): Promise<boolean> {
    return this.#has(sql`status in ('queued', 'running') and api_key_id <> ${CANARY.api_key_id}`);
  }

  /** The number of queued and running runs by model, and when the oldest of each was accepted. */
  async unfinishedByModel(): Promise<{ model_id: string; status: RunState; runs: number; oldest: Date }[]> {
    const rows = await this.#db
      .selectFrom('run')
      .select((run) => [
        'model_id',
        'status',
        run.fn.countAll<string>().as('runs'),
        run.fn.min('created_at').as('oldest'),
      ])
      .where('status', 'in', ['queued', 'running'])
      .groupBy(['model_id', 'status'])
      .execute();
    return rows.map(({ runs, ...row }) => ({ ...row, runs: Number(runs) }));
  }

  /** For the oldest run whose state is not yet in the usage stream: when it ended or, if unfinished, was accepted. */
  async oldestUnrecorded(): Promise<Date | undefined> {
    const [run] = await this.unrecorded(new Date(), 1);
    return run?.finished_at ?? run?.created_at;
  }

  dailyRuns(of: { model_id: string; end_user: string; trading_day: string }): Promise<RunRow[]> {
    return this.#db
      .selectFrom('run')
      .selectAll()
      .where('api_key_id', '=', OPERATOR.api_key_id)
      .where('model_id', '=', of.model_id)
      .where('end_user', '=', of.end_user)
      .where('trading_day', '=', of.trading_day)
      .execute();
  }

  /** Undefined also if the job belongs to another key. */
  find(jobId: string, apiKeyId: string): Promise<RunRow | undefined> {
    return this.#db
      .selectFrom('run')
      .selectAll()
      .where('job_id', '=', jobId)
      .where('api_key_id', '=', apiKeyId)
      .executeTakeFirst();
  }

  /** Newest first. Canaries are left out, unless the filter names one or their owner. */
  ofEveryKey({ job_id, status, model_id, api_key_id }: RunFilter, limit: number): Promise<RunRow[]> {
    return this.#db
      .selectFrom('run')
      .selectAll()
      .$if(job_id !== undefined, (runs) => runs.where('job_id', '=', job_id!))
      .$if(status !== undefined, (runs) => runs.where('status', '=', status!))
      .$if(model_id !== undefined, (runs) => runs.where('model_id', '=', model_id!))
      .$if(api_key_id !== undefined, (runs) => runs.where('api_key_id', '=', api_key_id!))
      .$if(api_key_id === undefined && job_id === undefined, (runs) =>
        runs.where('api_key_id', '!=', CANARY.api_key_id),
      )
      .orderBy('created_at', 'desc')
      .orderBy('job_id', 'desc')
      .limit(limit)
      .execute();
  }

  queueOver(minutes: number): Promise<GetQueueResponse> {
    return queueOver(this.#db, minutes);
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

  /** Undefined if the run was no longer queued. */
  async start(jobId: string, startedAt: Date): Promise<RunRow | undefined> {
    const started = await this.#move(this.#db, jobId, 'running', {
      status: 'running',
      started_at: startedAt,
    });
    if (started) countRun(started);
    return started;
  }

  /**
   * Undefined if the run had already ended. If it was cancelled meanwhile, it may get a different final state. Picks go
   * on record, the key is told, and the scores of a daily run are held for market-data in the transaction that ends their run, so
   * that each happens exactly once, even if a process crashes.
   */
  async end(jobId: string, end: RunEnd): Promise<RunRow | undefined> {
    const ended = await this.#outbox.inTransaction(async (tx) => {
      const run = await this.#end(tx, jobId, end);
      if (run) await this.#outbox.put(tx, eventsOfRun(run));
      return run;
    });
    if (ended) countRun(ended);
    return ended;
  }

  #end(
    tx: Transaction<ModelsTables>,
    jobId: string,
    { record, scores = [], ...end }: RunEnd,
  ): Promise<RunRow | undefined> {
    const { status, error_code = null, error_message = null, error_english = null } = end;
    if (status === 'succeeded' && record) return this.#endOnRecord(tx, jobId, end, { record, scores });
    const ofCancelled = endOfCancelled(status);
    if (ofCancelled === status) return this.#move(tx, jobId, status, end);
    return this.#move(tx, jobId, status, {
      ...end,
      status: unlessCancelled(status, ofCancelled),
      error_code: unlessCancelled(error_code, CANCELLATION.error_code),
      error_message: unlessCancelled(error_message, CANCELLATION.error_message),
      error_english: unlessCancelled(error_english, CANCELLATION.error_english),
    });
  }

  async #endOnRecord(
    tx: Transaction<ModelsTables>,
    jobId: string,
    end: Omit<RunEnd, 'record' | 'scores'>,
    { record, scores }: { record: RecordedPicks; scores: ScoredStock[] },
  ): Promise<RunRow | undefined> {
    const ended = await this.#move(tx, jobId, end.status, end);
    if (!ended || isCanary(ended) || isTestKey(ended.api_key_id)) return ended;
    if (isDaily(ended)) await holdDailyResult(tx, ended, record, scores);
    const { seq, hash } = await this.#record.appendRun(tx, ended, record);
    return tx
      .updateTable('run')
      .set({ recorded_picks: record.picks.length, record_seq: seq, record_hash: hash })
      .where('job_id', '=', jobId)
      .returningAll()
      .executeTakeFirstOrThrow();
  }

  async runningJobs(): Promise<string[]> {
    const rows = await this.#db.selectFrom('run').select('job_id').where('status', '=', 'running').execute();
    return rows.map((row) => row.job_id);
  }

  /** Whether fewer than `places` unfinished runs of the key were accepted before this one. */
  async isAmongFirst({ api_key_id, created_at, job_id }: RunRow, places: number): Promise<boolean> {
    const { rows } = await sql<{ before: number }>`
      select count(*)::int as before from run
      where ${TAKES_TURNS} and api_key_id = ${api_key_id} and (created_at, job_id) < (${created_at}, ${job_id})`.execute(
      this.#db,
    );
    return rows[0]!.before < places;
  }

  /**
   * Oldest queued runs whose turn it is and whose request the stream does not have: it has not accepted it, or not since
   * `requestedBefore`.
   */
  async unrequested({
    ofEachKey,
    limit,
    apiKeyId,
    acceptedBefore,
    requestedBefore,
  }: UnrequestedRuns): Promise<RunRow[]> {
    const { rows } = await sql<RunRow>`
      with turn as (
        select job_id, row_number() over (partition by api_key_id order by created_at, job_id) as place
        from run where ${TAKES_TURNS} and ${apiKeyId === undefined ? sql`true` : sql`api_key_id = ${apiKeyId}`}
      )
      select run.* from run left join turn using (job_id)
      where status = 'queued' and coalesce(place <= ${ofEachKey}, ${apiKeyId === undefined})
        and (requested_at is null or requested_at < ${requestedBefore ?? null}::timestamptz)
        and created_at < coalesce(${acceptedBefore ?? null}::timestamptz, 'infinity')
      order by created_at limit ${limit}`.execute(this.#db);
    return rows;
  }

  async markRequested(jobId: string, at: Date): Promise<void> {
    await this.#db.updateTable('run').set({ requested_at: at }).where('job_id', '=', jobId).execute();
  }

  /** Oldest runs whose current state is not yet in the usage stream. */
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

  /** `started` never replaces a final state. */
  async markRecorded(jobId: string, state: UsageState): Promise<void> {
    await this.#db
      .updateTable('run')
      .set({ usage_published: state })
      .where('job_id', '=', jobId)
      .$if(state === 'started', (update) => update.where('usage_published', 'is', null))
      .execute();
  }

  /**
   * Runs whose current state is in the usage stream, newest first. Excludes the service's own runs, which are never
   * published.
   */
  recorded({ since, settledBefore, after }: RecordedSpan, limit: number): Promise<RecordedRun[]> {
    return this.#db
      .selectFrom('run')
      .select(['job_id', 'event_id', 'api_key_id', 'created_at', 'usage_due'])
      .whereRef('usage_published', '=', 'usage_due')
      .where('created_at', '<', settledBefore)
      .where('api_key_id', 'not in', OWN_IDS)
      .where((run) => run('finished_at', 'is', null).or('finished_at', '<', settledBefore))
      .$if(since !== undefined, (runs) =>
        runs.where((run) => run('created_at', '>=', since!).or('finished_at', '>=', since!)),
      )
      .$if(after !== undefined, (runs) =>
        runs.where(sql<boolean>`(created_at, job_id) < (${after!.created_at}, ${after!.job_id})`),
      )
      .orderBy('created_at', 'desc')
      .orderBy('job_id', 'desc')
      .limit(limit)
      .execute();
  }

  /** Which key each of these runs belongs to, and when it ended. */
  ownersOf(jobIds: string[]): Promise<Pick<RunRow, 'job_id' | 'api_key_id' | 'finished_at'>[]> {
    const owned = this.#db.selectFrom('run').select(['job_id', 'api_key_id', 'finished_at']);
    return owned.where('job_id', 'in', jobIds).execute();
  }

  withIds(jobIds: string[]): Promise<RunRow[]> {
    return this.#db.selectFrom('run').selectAll().where('job_id', 'in', jobIds).execute();
  }

  /** Removes runs that ended before `before` and are recorded. Returns how many. */
  purge(before: Date, limit: number): Promise<number> {
    const where = sql`finished_at < ${before} and usage_published = usage_due`;
    return removeSome(this.#db, { table: 'run', key: ['job_id'], where, limit });
  }

  /** Removes ended canaries that were submitted before `before`. */
  async forgetCanaries(before: Date, limit: number): Promise<void> {
    const where = sql`api_key_id = ${CANARY.api_key_id} and created_at < ${before} and finished_at is not null`;
    await removeSome(this.#db, { table: 'run', key: ['job_id'], where, limit });
  }

  async #has(where: RawBuilder<unknown>): Promise<boolean> {
    const { rows } = await sql`select job_id from run where ${where} limit 1`.execute(this.#db);
    return rows.length > 0;
  }

  /** Compare-and-set according to the table of transitions. */
  #move(
    db: Kysely<ModelsTables>,
    jobId: string,
    next: RunState,
    change: UpdateObject<ModelsTables, 'run'>,
  ): Promise<RunRow | undefined> {
    return db
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

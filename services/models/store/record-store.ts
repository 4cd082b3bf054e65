import { type Kysely, sql, type Transaction } from 'kysely';
import type { RecordedPicks } from '#proto/saring/events/v1/runs.ts';
import type { Regime } from '#quant/regime/regime.ts';
import { canonicalJson } from '#foundation/text/canonical-json.ts';
import {
  type Entry,
  type EntryContent,
  type Head,
  NO_HEAD,
  type OutcomeBody,
  type RunBody,
  sealed,
  type VersionBody,
} from './record-chain.ts';
import type { ModelsTables, RunRow } from './tables.ts';

type Content = Omit<EntryContent, 'seq' | 'written_at'>;

export interface RecordedRun {
  seq: number;
  job_id: string;
  model_id: string;
  api_key_id: string;
  body: RunBody;
  outcome: OutcomeBody | undefined;
}

interface RecordedRuns {
  model_id: string;
  api_key_id: string;
  dataset_kind: string;
  /** First and last analysed day, YYYY-MM-DD; unbounded if absent. */
  from?: string | undefined;
  to?: string | undefined;
}

interface RunOfDay extends Pick<RecordedRuns, 'model_id' | 'api_key_id' | 'dataset_kind'> {
  /** YYYY-MM-DD. */
  as_of: string;
}

/** The entry that a run row refers to. */
export interface RunOnRecord extends Head {
  job_id: string;
  picks: number;
}

export class RecordStore {
  readonly #db: Kysely<ModelsTables>;
  readonly #secret: string;

  constructor(db: Kysely<ModelsTables>, secret: string) {
    this.#db = db;
    this.#secret = secret;
  }

  /**
   * Records a run. Its picks count if they are for the last day of the dataset it read, and no later day of that kind
   * of market was ever served. Then every day that decides them was unknown at the time of writing. Other runs are
   * history.
   */
  async appendRun(db: Transaction<ModelsTables>, run: RunRow, record: RecordedPicks): Promise<Head> {
    await takeLock(db);
    const { as_of, last_date, dataset_kind, regime, ...rest } = record;
    const newest = await this.newestDay(dataset_kind, db);
    const body: RunBody = {
      ...rest,
      as_of,
      last_date,
      dataset_kind,
      regime: regime as Regime,
      dataset_version: run.dataset_version,
      counts: as_of === last_date && as_of >= newest,
    };
    const { model_id, api_key_id, job_id } = run;
    return this.#append(db, { kind: 'run', model_id, api_key_id, job_id, body });
  }

  /** Records that a version is served from now on, unless it was the last one recorded. */
  async appendVersion(body: VersionBody): Promise<void> {
    await this.#db.transaction().execute(async (db) => {
      await takeLock(db);
      const last = await this.lastVersion(db);
      if (last?.dataset_version === body.dataset_version) return;
      await this.#append(db, { kind: 'version', model_id: null, api_key_id: null, job_id: null, body });
    });
  }

  /** Records the outcome of a run's picks, unless its last outcome is the same. */
  async appendOutcome(run: Pick<RecordedRun, 'job_id' | 'model_id' | 'api_key_id'>, body: OutcomeBody) {
    const { job_id, model_id, api_key_id } = run;
    await this.#db.transaction().execute(async (db) => {
      await takeLock(db);
      const last = await db
        .selectFrom('record_entry')
        .select('body')
        .where('kind', '=', 'outcome')
        .where('job_id', '=', job_id)
        .orderBy('seq', 'desc')
        .executeTakeFirst();
      if (saysTheSame(last?.body as OutcomeBody | undefined, body)) return;
      await this.#append(db, { kind: 'outcome', model_id, api_key_id, job_id, body });
    });
  }

  async hasRun({ model_id, api_key_id, dataset_kind, as_of }: RunOfDay): Promise<boolean> {
    const { rows } = await sql`select from record_entry
      where kind = 'run' and model_id = ${model_id} and api_key_id = ${api_key_id}
        and body->>'dataset_kind' = ${dataset_kind} and body->>'as_of' = ${as_of} limit 1`.execute(this.#db);
    return rows.length > 0;
  }

  async head(db: Kysely<ModelsTables> = this.#db): Promise<Head> {
    const last = await db
      .selectFrom('record_entry')
      .select(['seq', 'hash'])
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirst();
    return last ? { seq: Number(last.seq), hash: last.hash } : NO_HEAD;
  }

  /** The version served last; undefined before the first one. */
  async lastVersion(db: Kysely<ModelsTables> = this.#db): Promise<VersionBody | undefined> {
    const last = await db
      .selectFrom('record_entry')
      .select('body')
      .where('kind', '=', 'version')
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirst();
    return last?.body as VersionBody | undefined;
  }

  /** The newest day of this kind of market that was ever served, YYYY-MM-DD; empty if there is none. */
  async newestDay(dataset_kind: string, db: Kysely<ModelsTables> = this.#db): Promise<string> {
    const { rows } = await sql<{ day: string | null }>`
      select max(body->>'last_date') as day from record_entry
      where kind = 'version' and body->>'dataset_kind' = ${dataset_kind}`.execute(db);
    return rows[0]?.day ?? '';
  }

  /** In the order of the record; includes runs that do not count. */
  runsOf({ model_id, api_key_id, dataset_kind, from, to }: RecordedRuns): Promise<RecordedRun[]> {
    return this.#runs(
      (entry) =>
        sql<boolean>`${entry}.model_id = ${model_id} and ${entry}.api_key_id = ${api_key_id}
        and ${entry}.body->>'dataset_kind' = ${dataset_kind}
        and ${entry}.body->>'as_of' between ${from ?? '0000-01-01'} and ${to ?? '9999-12-31'}`,
    );
  }

  /** Runs that count, of one kind of market and days before `before`: ordered by day, starting after the run `after`. */
  countedRuns(
    dataset_kind: string,
    before: string,
    after: Pick<RecordedRun, 'seq' | 'body'> | undefined,
    limit: number,
  ): Promise<RecordedRun[]> {
    return this.#runs(
      (
        entry,
      ) => sql<boolean>`${entry}.body->>'dataset_kind' = ${dataset_kind} and ${entry}.body->>'counts' = 'true'
        and ${entry}.body->>'as_of' < ${before}
        and (${entry}.body->>'as_of', ${entry}.seq) > (${after?.body.as_of ?? ''}, ${after?.seq ?? 0})`,
      sql`order by run.body->>'as_of', run.seq limit ${limit}`,
    );
  }

  async #runs(
    condition: (entry: ReturnType<typeof sql.ref>) => ReturnType<typeof sql<boolean>>,
    order = sql`order by run.seq`,
  ): Promise<RecordedRun[]> {
    const { rows } = await sql<
      Omit<RecordedRun, 'seq' | 'outcome'> & { seq: string; outcome: OutcomeBody | null }
    >`
      select run.seq, run.job_id, run.model_id, run.api_key_id, run.body, outcome.body as outcome
      from record_entry as run left join lateral (
        select body from record_entry as latest
        where latest.kind = 'outcome' and latest.job_id = run.job_id order by seq desc limit 1
      ) as outcome on true
      where run.kind = 'run' and ${condition(sql.ref('run'))} ${order}`.execute(this.#db);
    return rows.map(({ seq, outcome, ...run }) => ({
      ...run,
      seq: Number(seq),
      outcome: outcome ?? undefined,
    }));
  }

  /** The last entry that can have changed the record of a model and a key; 0 if there is none. */
  async lastChange(model_id: string, api_key_id: string): Promise<number> {
    const last = await this.#db
      .selectFrom('record_entry')
      .select((entry) => entry.fn.max('seq').as('seq'))
      .where('model_id', '=', model_id)
      .where('api_key_id', '=', api_key_id)
      .executeTakeFirst();
    return Number(last?.seq ?? 0);
  }

  /** Entries after `seq`, in the order of the record. */
  async entriesAfter(seq: number, limit: number): Promise<Entry[]> {
    const rows = await this.#db
      .selectFrom('record_entry')
      .selectAll()
      .where('seq', '>', String(seq))
      .orderBy('seq')
      .limit(limit)
      .execute();
    return rows.map((row) => ({ ...row, seq: Number(row.seq) }));
  }

  /** The entries that run rows refer to, in the order of the record. */
  async runsOnRecordAfter(after: { seq: number; jobId: string }, limit: number): Promise<RunOnRecord[]> {
    const rows = await this.#db
      .selectFrom('run')
      .select(['job_id', 'recorded_picks', 'record_seq', 'record_hash'])
      .where(sql<boolean>`(record_seq, job_id) > (${after.seq}::bigint, ${after.jobId})`)
      .orderBy('record_seq')
      .orderBy('job_id')
      .limit(limit)
      .execute();
    return rows.map(({ job_id, recorded_picks, record_seq, record_hash }) => ({
      job_id,
      picks: recorded_picks ?? 0,
      seq: Number(record_seq),
      hash: record_hash ?? '',
    }));
  }

  get secret(): string {
    return this.#secret;
  }

  /** The caller must hold the lock of `takeLock`. */
  async #append(db: Transaction<ModelsTables>, content: Content): Promise<Head> {
    const previous = await this.head(db);
    const written_at = await now(db);
    const entry = sealed({ ...content, seq: previous.seq + 1, written_at }, previous, this.#secret);
    await db
      .insertInto('record_entry')
      .values({ ...entry, body: canonicalJson(entry.body) })
      .execute();
    return { seq: entry.seq, hash: entry.hash };
  }
}

/** Two outcomes are the same if the results of the picks are; the dataset version does not matter. */
export function saysTheSame(one: OutcomeBody | undefined, other: OutcomeBody): boolean {
  const said = ({ picks, names }: OutcomeBody) => canonicalJson({ picks, names });
  return one !== undefined && said(one) === said(other);
}

/** Allows one writer at a time, across all copies of the service, until its transaction ends. */
async function takeLock(db: Transaction<ModelsTables>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('saring.models.record'))`.execute(db);
}

/** The database's clock, which all copies of the service share, truncated to the milliseconds that a seal covers. */
async function now(db: Kysely<ModelsTables>): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`
    select date_trunc('milliseconds', clock_timestamp()) as at`.execute(db);
  return rows[0]!.at;
}

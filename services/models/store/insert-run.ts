import { sql, type Kysely } from 'kysely';
import { IDEMPOTENCY_KEPT_MS } from '#shared/idempotency.ts';
import type { RunRow } from './run-store.ts';
import type { ModelsTables } from './tables.ts';

export interface NewRun {
  job_id: string;
  event_id: string;
  api_key_id: string;
  end_user: string;
  channel: string;
  actor: string;
  model_id: string;
  view: string;
  params: Record<string, unknown>;
  request_id: string;
  trading_day?: string | undefined;
  created_at: Date;
}

/** By what a repetition of a submission is known. */
export interface Repeatable {
  key: string;
  fingerprint: string;
}

/**
 * Writes the row only while its caller can still learn of it, for which `leftMs` says how long, and only if its
 * idempotency key has begun no other run; undefined otherwise. The database shows first that it answers, and then
 * refuses by its own clock what a lock or a pause let it see too late. One statement and no transaction: the server
 * would keep one whose connection fell silent, and its locks, until it notices.
 */
export function insertRun(
  database: Kysely<ModelsTables>,
  run: NewRun,
  leftMs: () => number,
  repeatable?: Repeatable,
): Promise<RunRow | undefined> {
  const row = { ...run, params: JSON.stringify(run.params), status: 'queued' as const };
  const columns = Object.keys(row) as (keyof typeof row)[];
  const values = columns.map((column) => sql`${row[column]}`.as(column));
  return database.connection().execute(async (db) => {
    const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
    const left = leftMs();
    if (left <= 0) return undefined;
    const writeUntil = new Date(rows[0]!.now.getTime() + left);
    const written = repeatable
      ? withKey(db, run, repeatable, writeUntil)
          .insertInto('run')
          .columns(columns)
          .expression((query) => query.selectFrom('claimed').select(values))
      : db
          .insertInto('run')
          .columns(columns)
          .expression(db.selectNoFrom(values).where(beforeTime(writeUntil)));
    return written.returningAll().executeTakeFirst();
  });
}

/**
 * The row of the key comes first in the statement, whose rest finds `claimed` empty when the key is taken. Of two
 * statements at once the later waits for the earlier one's row and then sees it. What that wait made too late may still
 * be written if the earlier one failed after all: its caller finds the run under the key.
 */
function withKey(db: Kysely<ModelsTables>, run: NewRun, { key, fingerprint }: Repeatable, writeUntil: Date) {
  const { api_key_id, channel, job_id, created_at } = run;
  const row = { api_key_id, channel, key, fingerprint, job_id, created_at };
  const columns = Object.keys(row) as (keyof typeof row)[];
  const values = columns.map((column) => sql`${row[column]}`.as(column));
  return db.with('claimed', (query) =>
    query
      .insertInto('idempotency_key')
      .columns(columns)
      .expression(query.selectNoFrom(values).where(beforeTime(writeUntil)))
      .onConflict((taken) =>
        taken
          .columns(['api_key_id', 'channel', 'key'])
          .doUpdateSet({ fingerprint, job_id, created_at })
          .where('idempotency_key.created_at', '<=', forgottenSince(created_at))
          .where(beforeTime(writeUntil)),
      )
      .returning('job_id'),
  );
}

/** Keys of this moment and before are as if never seen. */
export function forgottenSince(now: Date): Date {
  return new Date(now.getTime() - IDEMPOTENCY_KEPT_MS);
}

function beforeTime(writeUntil: Date) {
  return sql<boolean>`clock_timestamp() < ${writeUntil}`;
}

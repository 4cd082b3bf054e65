import { sql, type Kysely } from 'kysely';
import { IDEMPOTENCY_KEPT_MS } from '#shared/idempotency.ts';
import { writeInTime } from '#shared/postgres/postgres-away.ts';
import { selectionOf } from '#shared/postgres/selection-of.ts';
import { unavailable } from '../unavailable.ts';
import type { ModelsTables, RunRow } from './tables.ts';

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
  /** The trading day it is to analyse, as far as that is known at its submission. */
  target_date?: string | undefined;
  /** W3C trace context that it belongs to. */
  traceparent?: string | undefined;
  created_at: Date;
}

/** By what a repetition of a submission is known. */
export interface Repeatable {
  key: string;
  fingerprint: string;
}

/** What a submission may begin but one run under; each is claimed in the statement that writes the run. */
export interface Claims {
  /** Of this one submission; see the table `submission`. */
  submissionId?: string | undefined;
  /** Of the caller's, for a day. */
  repeatable?: Repeatable | undefined;
}

/**
 * Writes the row only while its caller can still learn of it, for which `leftMs` says how long, and only if nothing that
 * it claims has begun another run or was refused; undefined otherwise.
 * @throws ServiceError model_unavailable when the database is silent, in doubt if it may write the row all the same.
 */
export function insertRun(
  database: Kysely<ModelsTables>,
  run: NewRun,
  leftMs: () => number,
  claims: Claims,
): Promise<RunRow | undefined> {
  const row = { ...run, params: JSON.stringify(run.params), status: 'queued' as const };
  const { columns, values } = selectionOf(row);
  return writeInTime(database, {
    leftMs,
    failure: (cause, isInDoubt) => unavailable(cause, { isInDoubt }),
    write: (db, until) =>
      claiming(db, run, claims, until)
        .insertInto('run')
        .columns(columns)
        .expression((query) => query.selectFrom('keyed').select(values))
        .returningAll()
        .executeTakeFirst(),
  });
}

/**
 * The rows of the claims come first in the statement, each only if those before it could be written; the rest finds
 * `keyed` empty when one is taken. The submission comes before the key, which it would otherwise use up in vain. Of two
 * statements at once the later waits for the earlier one's row and then sees it. What that wait made too late may still
 * be written if the earlier one failed after all: its caller finds the run under the claim.
 */
function claiming(db: Kysely<ModelsTables>, run: NewRun, { submissionId, repeatable }: Claims, until: Date) {
  const { api_key_id, channel, job_id, created_at } = run;
  const inTime = sql<boolean>`clock_timestamp() < ${until}`;
  const submission = selectionOf({ submission_id: submissionId ?? '', job_id, created_at });
  const key = selectionOf({ api_key_id, channel, ...(repeatable ?? NO_KEY), job_id, created_at });
  const claimed = [sql<string | null>`${job_id}::text`.as('job_id')];
  return db
    .with('submitted', (query) =>
      submissionId === undefined
        ? query.selectNoFrom(claimed).where(inTime)
        : query
            .insertInto('submission')
            .columns(submission.columns)
            .expression(query.selectNoFrom(submission.values).where(inTime))
            .onConflict((taken) => taken.column('submission_id').doNothing())
            .returning('job_id'),
    )
    .with('keyed', (query) =>
      repeatable === undefined
        ? query.selectFrom('submitted').select(claimed)
        : query
            .insertInto('idempotency_key')
            .columns(key.columns)
            .expression(query.selectFrom('submitted').select(key.values))
            .onConflict((taken) =>
              taken
                .columns(['api_key_id', 'channel', 'key'])
                .doUpdateSet({ fingerprint: repeatable.fingerprint, job_id, created_at })
                .where('idempotency_key.created_at', '<=', forgottenSince(created_at))
                .where(inTime),
            )
            .returning('job_id'),
    );
}

const NO_KEY: Repeatable = { key: '', fingerprint: '' };

/** Keys of this moment and before are as if never seen. */
export function forgottenSince(now: Date): Date {
  return new Date(now.getTime() - IDEMPOTENCY_KEPT_MS);
}

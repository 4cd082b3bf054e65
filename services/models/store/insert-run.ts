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
  /** The trading day it will analyse, if that is known at submission. */
  target_date?: string | undefined;
  /** W3C trace context that the run belongs to. */
  traceparent?: string | undefined;
  created_at: Date;
}

/** Identifies a repetition of a submission. */
export interface Repeatable {
  key: string;
  fingerprint: string;
}

/** The ids under which a submission may start only one run. The statement that writes the run claims each of them. */
export interface Claims {
  /** Unique to this submission; see the table `submission`. */
  submissionId?: string | undefined;
  /** Chosen by the caller, valid for a day. */
  repeatable?: Repeatable | undefined;
}

/**
 * Inserts the row only while its caller can still receive the answer (`leftMs` is the time left), and only if none of
 * its claims has started another run or was refused. Otherwise undefined.
 * @throws ServiceError model_unavailable if the database does not answer; in doubt if it may still write the row
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
 * Writes the rows of the claims first, each only if the previous one was written. If a claim is taken, `keyed` is empty
 * and no run is written. The submission is claimed before the key, so that a refused submission does not use up the
 * key. Of two concurrent statements, the later one waits for the earlier one's row and then sees it. If the earlier one
 * fails after all, the later one may write its run although its time is over; its caller then finds the run under the
 * claim.
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

/** Keys from this time or before have expired. */
export function forgottenSince(now: Date): Date {
  return new Date(now.getTime() - IDEMPOTENCY_KEPT_MS);
}

import type { Kysely } from 'kysely';
import { ClaimedRows, type Claims } from '#platform/postgres/claimed-rows.ts';
import { writeInTime } from '#platform/postgres/postgres-unavailable.ts';
import { unavailable } from './unavailable.ts';
import type { ModelsTables, RunRow } from './tables.ts';

type Submitted = 'api_key_id' | 'end_user' | 'channel' | 'model_id' | 'view' | 'params' | 'request_id';

export interface NewRun extends Pick<RunRow, 'job_id' | 'event_id' | 'created_at' | Submitted> {
  actor: string;
  trading_day?: string | undefined;
  /** The trading day it will analyse, if that is known at submission. */
  target_date?: string | undefined;
  /** SimulatedPicks, of a simulation. */
  picks?: Buffer | undefined;
  /** W3C trace context that the run belongs to. */
  traceparent?: string | undefined;
}

/** Runs, with the claims under which submissions start them. */
export type ClaimedRuns = ClaimedRows<RunRow, OwnerOfKey>;

/** The caller of a submission. */
export type OwnerOfKey = Pick<RunRow, 'api_key_id' | 'channel'>;

export function claimedRuns(db: Kysely<ModelsTables>): ClaimedRuns {
  return new ClaimedRows(db, {
    rows: 'run',
    id: 'job_id',
    keys: 'idempotency_key',
    keyColumn: 'key',
    owner: ['api_key_id', 'channel'],
  });
}

/**
 * Inserts the row only while its caller can still receive the response (`leftMs` is the time left), and only if none of
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
  return writeInTime(database, {
    leftMs,
    failure: (cause, isInDoubt) => unavailable(cause, { isInDoubt }),
    write: (db, until) => claimedRuns(database).insert(db, row, claims, { now: run.created_at, until }),
  });
}

import { setTimeout as sleep } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import pg from 'pg';
import { isPostgresAway } from './postgres-away.ts';

interface TimedWrite<Tables, Row> {
  /** For how long the caller can still learn of the write, in milliseconds; none once it is not positive. */
  leftMs: () => number;
  /** One statement that writes nothing from `until` on, by the database's clock. */
  write: (db: Kysely<Tables>, until: Date) => Promise<Row | undefined>;
  /** What is thrown when the database did not answer in time; `isInDoubt` says whether it may write all the same. */
  failure: (cause: unknown, isInDoubt: boolean) => Error;
}

/**
 * Writes only while its caller can still learn of it; undefined when it is too late for that. The database shows first
 * that it answers, and then refuses by its own clock what a lock or a pause let it see too late. No transaction: the
 * server would keep one whose connection fell silent, and its locks, until it notices.
 */
export async function writeInTime<Tables, Row>(
  database: Kysely<Tables>,
  { leftMs, write, failure }: TimedWrite<Tables, Row>,
): Promise<Row | undefined> {
  let state: 'asking' | 'sent' | 'given up' = 'asking';
  const writing = database.connection().execute(async (db) => {
    const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
    const left = leftMs();
    if (left <= 0 || state === 'given up') return undefined;
    state = 'sent';
    return write(db, new Date(rows[0]!.now.getTime() + left)).catch((error: unknown) => {
      throw leavesDoubt(error) ? failure(error, true) : error;
    });
  });
  const overdue = sleep(Math.max(0, leftMs()), 'overdue' as const, { ref: false });
  if ((await Promise.race([writing, overdue])) === 'overdue' && state === 'asking') {
    state = 'given up';
    writing.catch(() => {});
    throw failure(new Error('PostgreSQL did not answer in time'), false);
  }
  return writing;
}

/** Whether a statement that failed so may have been carried out: the server did not say that it ended the statement. */
function leavesDoubt(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return isPostgresAway(error);
  return error.severity !== 'ERROR' && isPostgresAway(error);
}

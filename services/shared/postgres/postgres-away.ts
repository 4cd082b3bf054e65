import pg from 'pg';
import { ServiceError, type ErrorCode } from '../service-error.ts';
import { sql, type Kysely } from 'kysely';
import { endedWithin } from '../waiting.ts';

/** SQLSTATE classes of a server that cannot serve, as opposed to a statement that is wrong. */
const AWAY_CLASSES = ['08', '53', '57', '58'];
/** SQLSTATE of a write to a server that only reads, as a standby does until it is promoted. */
const READ_ONLY = '25006';

/** Whether the database did not answer, so that trying again later makes sense. */
export function isPostgresAway(thrown: unknown): boolean {
  if (thrown instanceof pg.DatabaseError) {
    return thrown.code === READ_ONLY || AWAY_CLASSES.includes(thrown.code?.slice(0, 2) ?? '');
  }
  if (!(thrown instanceof Error)) return false;
  if (thrown instanceof AggregateError) return thrown.errors.some(isPostgresAway);
  const { code } = thrown as NodeJS.ErrnoException;
  return code !== undefined ? SOCKET_CODES.has(code) : DRIVER_MESSAGES.test(thrown.message);
}

const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

/** The driver reports its own timeouts and lost connections as plain errors. */
const DRIVER_MESSAGES =
  /timeout|Connection terminated|Client has encountered a connection error|not queryable/i;

/** Runs work on the database; when that is away, it fails with this code, which means: try again later. */
export async function withDatabase<T>(code: ErrorCode, message: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isPostgresAway(error) ? new ServiceError(code, message, { cause: error }) : error;
  }
}

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
  const isWritten = await endedWithin(writing, Math.max(0, leftMs()));
  if (!isWritten && state === 'asking') {
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

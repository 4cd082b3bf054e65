import pg from 'pg';
import type { ErrorCode } from '#foundation/errors/error-codes.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { sql, type Kysely } from 'kysely';
import { endedWithin } from '../process/waiting.ts';

/** SQLSTATE classes of a server that cannot serve. A wrong statement has other classes. */
const AWAY_CLASSES = ['08', '53', '57', '58'];
/** SQLSTATE of a write to a read-only server, such as a standby that is not promoted yet. */
const READ_ONLY = '25006';

/** Whether the database did not answer, so that a later retry makes sense. */
export function isPostgresUnavailable(thrown: unknown): boolean {
  if (thrown instanceof pg.DatabaseError) {
    return thrown.code === READ_ONLY || AWAY_CLASSES.includes(thrown.code?.slice(0, 2) ?? '');
  }
  if (!(thrown instanceof Error)) return false;
  if (thrown instanceof AggregateError) return thrown.errors.some(isPostgresUnavailable);
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

/** Runs work on the database. When the database is unavailable, fails with this code, which means: try again later. */
export async function withDatabase<T>(code: ErrorCode, message: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isPostgresUnavailable(error) ? new ServiceError(code, message, { cause: error }) : error;
  }
}

/** gRPC handlers of one response each, which fail with this code while the database is unavailable. */
export function allWithDatabase<Handlers extends object>(
  code: ErrorCode,
  message: string,
  handlers: Handlers,
): Handlers {
  const guarded = Object.entries(handlers as Record<string, (...args: unknown[]) => Promise<unknown>>).map(
    ([name, work]) => [name, (...args: unknown[]) => withDatabase(code, message, () => work(...args))],
  );
  return Object.fromEntries(guarded) as Handlers;
}

interface TimedWrite<Tables, Row> {
  /** How long the caller can still get the response, in milliseconds; 0 or less when it is too late. */
  leftMs: () => number;
  /** One statement that writes nothing once `until` has passed on the database's clock. */
  write: (db: Kysely<Tables>, until: Date) => Promise<Row | undefined>;
  /** The error when the database did not answer in time; `isInDoubt` says whether it may still write. */
  failure: (cause: unknown, isInDoubt: boolean) => Error;
}

/**
 * Writes only while the caller can still get the response. Returns undefined when it is too late. The database first shows that
 * it answers. Then it checks the limit by its own clock, in case a lock or a pause delayed the statement. There is no
 * transaction: if its connection went silent, the server would keep it open, with its locks, until it notices.
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

/** Whether a failed statement may still have run, because the server did not report that it aborted the statement. */
function leavesDoubt(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return isPostgresUnavailable(error);
  return error.severity !== 'ERROR' && isPostgresUnavailable(error);
}

import pg from 'pg';
import { ServiceError, type ErrorCode } from '../service-error.ts';

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

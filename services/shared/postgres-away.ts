import pg from 'pg';

/** SQLSTATE classes of a server that cannot serve, as opposed to a statement that is wrong. */
const AWAY_CLASSES = ['08', '53', '57', '58'];

/** Whether the database did not answer, so that trying again later makes sense. */
export function isPostgresAway(thrown: unknown): boolean {
  if (thrown instanceof pg.DatabaseError) return AWAY_CLASSES.includes(thrown.code?.slice(0, 2) ?? '');
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

import pg from 'pg';
import type { Call } from '#shared/grpc/server.ts';
import { isPostgresAway } from '#shared/postgres-away.ts';
import { ServiceError } from '#shared/service-error.ts';

/** Of one statement, by the database's own watch. */
export const STATEMENT_TIMEOUT_MS = 2_000;
/** Every call is answered within this, well under the 5 s that the gateway waits by default. */
export const ANSWER_WITHIN_MS = 3_500;

export function writeFailed(cause?: unknown): ServiceError {
  const message = 'The acceptance was not recorded; the gate stays closed. Try again.';
  return new ServiceError('consent_write_failed', message, { cause });
}

function checkFailed(cause: unknown): ServiceError {
  const message = 'Consent cannot be checked at the moment; the gate stays closed. Try again.';
  return new ServiceError('consent_unavailable', message, { cause });
}

/** Runs a check; whatever keeps the database from answering it is consent_unavailable. */
export function checking<T>(call: Call, check: () => Promise<T>): Promise<T> {
  return failingAs(checkFailed, call, check);
}

/** Runs a write; whatever keeps the database from taking it is consent_write_failed. */
export function writing<T>(call: Call, write: () => Promise<T>): Promise<T> {
  return failingAs(writeFailed, call, write);
}

/**
 * A database that refuses counts as one that is away: rights that are missing or a server that only reads keep the gate
 * closed all the same, and are the operator's to mend, who finds them in the log.
 */
async function failingAs<T>(
  failure: (cause: unknown) => ServiceError,
  { log }: Call,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await answeredInTime(work());
  } catch (error) {
    if (!(error instanceof pg.DatabaseError || error instanceof Overdue || isPostgresAway(error)))
      throw error;
    const failed = failure(error);
    log.warn({ reason: (error as Error).message }, failed.message);
    throw failed;
  }
}

class Overdue extends Error {
  override readonly name = 'Overdue';
}

async function answeredInTime<T>(work: Promise<T>): Promise<T> {
  const { promise: overdue, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Overdue(`PostgreSQL took more than ${ANSWER_WITHIN_MS} ms`)),
    ANSWER_WITHIN_MS,
  );
  try {
    return await Promise.race([work, overdue]);
  } finally {
    clearTimeout(timer);
  }
}

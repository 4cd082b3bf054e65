import pg from 'pg';
import { isPostgresUnavailable } from '#platform/postgres/postgres-unavailable.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import type { Call } from '#platform/grpc/call-context.ts';
import { inTime, Overdue } from '#platform/process/waiting.ts';

/** Timeout of one statement, enforced by the database. */
export const STATEMENT_TIMEOUT_MS = 2_000;
/** Every check is answered within this time, well under the gateway's default timeout of 5 s. */
export const RESPONSE_WITHIN_MS = 3_500;
/** Every write is answered within this time: 1.5 s to start it, plus the time that a silent connection takes to end. */
export const WRITE_RESPONSE_WITHIN_MS = 4_750;

/** The failure that means that nothing was recorded or, with `isInDoubt`, that it is unknown whether it was. */
export function writeFailed(cause?: unknown, isInDoubt = false): ServiceError {
  const message = 'The acceptance was not recorded; the gate stays closed. Try again.';
  return new ServiceError('consent_write_failed', message, { cause, isInDoubt });
}

/** An overdue call may or may not have written, so its failure is in doubt. */
const writeOverdue = (cause: unknown) => writeFailed(cause, cause instanceof Overdue);

function checkFailed(cause: unknown): ServiceError {
  const message = 'Consent cannot be checked at the moment; the gate stays closed. Try again.';
  return new ServiceError('consent_unavailable', message, { cause });
}

/** Runs a check. Fails with consent_unavailable when the database does not answer it. */
export function checking<T>(call: Call, check: () => Promise<T>): Promise<T> {
  return failingAs(checkFailed, call, check, RESPONSE_WITHIN_MS);
}

/** Runs a write. Fails with consent_write_failed when the database does not accept it. */
export function writing<T>(call: Call, write: () => Promise<T>): Promise<T> {
  return failingAs(writeOverdue, call, write, WRITE_RESPONSE_WITHIN_MS);
}

/**
 * A database that refuses a statement counts as unavailable. Missing privileges and a read-only server keep the gate closed
 * too, and the operator finds them in the log.
 */
async function failingAs<T>(
  failure: (cause: unknown) => ServiceError,
  { log }: Call,
  work: () => Promise<T>,
  withinMs: number,
): Promise<T> {
  try {
    return await inTime(work(), withinMs);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError || error instanceof Overdue || isPostgresUnavailable(error)))
      throw error;
    const failed = failure(error);
    log.warn({ reason: (error as Error).message }, failed.message);
    throw failed;
  }
}

import pg from 'pg';
import { isPostgresAway } from '#shared/postgres/postgres-away.ts';
import { ServiceError } from '#shared/service-error.ts';
import type { Call } from '#shared/grpc/call-context.ts';
import { inTime, Overdue } from '#shared/waiting.ts';

/** Of one statement, by the database's own watch. */
export const STATEMENT_TIMEOUT_MS = 2_000;
/** Every check is answered within this, well under the 5 s that the gateway waits by default. */
export const ANSWER_WITHIN_MS = 3_500;
/** So is every write: those 1.5 s in which one is begun, and what a silent connection takes to end. */
const WRITE_ANSWER_WITHIN_MS = 4_750;

/** The failure that means: nothing was recorded; or, in doubt, that it is unknown whether it was. */
export function writeFailed(cause?: unknown, isInDoubt = false): ServiceError {
  const message = 'The acceptance was not recorded; the gate stays closed. Try again.';
  return new ServiceError('consent_write_failed', message, { cause, isInDoubt });
}

/** How far a call came that has not ended in time is unknown. */
const writeOverdue = (cause: unknown) => writeFailed(cause, cause instanceof Overdue);

function checkFailed(cause: unknown): ServiceError {
  const message = 'Consent cannot be checked at the moment; the gate stays closed. Try again.';
  return new ServiceError('consent_unavailable', message, { cause });
}

/** Runs a check; whatever keeps the database from answering it is consent_unavailable. */
export function checking<T>(call: Call, check: () => Promise<T>): Promise<T> {
  return failingAs(checkFailed, call, check, ANSWER_WITHIN_MS);
}

/** Runs a write; whatever keeps the database from taking it is consent_write_failed. */
export function writing<T>(call: Call, write: () => Promise<T>): Promise<T> {
  return failingAs(writeOverdue, call, write, WRITE_ANSWER_WITHIN_MS);
}

/**
 * A database that refuses counts as one that is away: rights that are missing or a server that only reads keep the gate
 * closed all the same, and are the operator's to mend, who finds them in the log.
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
    if (!(error instanceof pg.DatabaseError || error instanceof Overdue || isPostgresAway(error)))
      throw error;
    const failed = failure(error);
    log.warn({ reason: (error as Error).message }, failed.message);
    throw failed;
  }
}

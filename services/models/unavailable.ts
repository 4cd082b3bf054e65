import { isPostgresAway, withDatabase } from '#shared/postgres/postgres-away.ts';
import { ServiceError } from '#shared/service-error.ts';

const MESSAGE = 'Runs cannot be read or accepted at the moment. Try again.';

/** Runs a call; when the database is away, it fails with model_unavailable. */
export function orUnavailable<T>(call: () => Promise<T>): Promise<T> {
  return withDatabase('model_unavailable', MESSAGE, call);
}

/** The same for a stream, which also fails so when the service stops before the stream has ended. */
export async function* streamOrUnavailable<T>(
  stream: () => AsyncIterable<T>,
  stopping: AbortSignal,
): AsyncGenerator<T> {
  try {
    yield* stream();
  } catch (error) {
    throw isPostgresAway(error) ? unavailable(error) : error;
  }
  if (stopping.aborted) throw unavailable();
}

/** The failure that means: nothing was accepted, try again; or, in doubt, that it is unknown whether it was. */
export function unavailable(cause?: unknown, { isInDoubt = false } = {}): ServiceError {
  return new ServiceError('model_unavailable', MESSAGE, { cause, isInDoubt });
}

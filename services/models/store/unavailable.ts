import {
  allWithDatabase,
  isPostgresUnavailable,
  withDatabase,
} from '#platform/postgres/postgres-unavailable.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';

const MESSAGE = 'Runs cannot be read or accepted at the moment. Try again.';

/** Runs a call. If the database is unavailable, it fails with model_unavailable. */
export function orUnavailable<T>(call: () => Promise<T>): Promise<T> {
  return withDatabase('model_unavailable', MESSAGE, call);
}

/** The same for handlers of one response each. */
export function allOrUnavailable<Handlers extends object>(handlers: Handlers): Handlers {
  return allWithDatabase('model_unavailable', MESSAGE, handlers);
}

/** The same for a stream. It also fails if the service stops before the stream has ended. */
export async function* streamOrUnavailable<T>(
  stream: () => AsyncIterable<T>,
  stopping: AbortSignal,
): AsyncGenerator<T> {
  try {
    yield* stream();
  } catch (error) {
    throw isPostgresUnavailable(error) ? unavailable(error) : error;
  }
  if (stopping.aborted) throw unavailable();
}

/** The error for "nothing was accepted, try again" or, in doubt, "it is unknown whether it was accepted". */
export function unavailable(cause?: unknown, { isInDoubt = false } = {}): ServiceError {
  return new ServiceError('model_unavailable', MESSAGE, { cause, isInDoubt });
}

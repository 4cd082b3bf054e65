import { isPostgresAway, withDatabase } from '#shared/postgres/postgres-away.ts';
import { ServiceError } from '#shared/service-error.ts';

const MESSAGE = 'Runs cannot be read or accepted at the moment. Try again.';

/** Runs a call. If the database is unavailable, it fails with model_unavailable. */
export function orUnavailable<T>(call: () => Promise<T>): Promise<T> {
  return withDatabase('model_unavailable', MESSAGE, call);
}

/** The same for a stream. It also fails if the service stops before the stream has ended. */
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

/** Without a dataset, and in the first moments after a start, nobody knows which day a run would analyse. */
export function daysUnknown(): ServiceError {
  return new ServiceError(
    'data_unavailable',
    'The trading days of the market are not known at the moment, because its data are not loaded. Try again.',
  );
}

/** The error for "nothing was accepted, try again" or, in doubt, "it is unknown whether it was accepted". */
export function unavailable(cause?: unknown, { isInDoubt = false } = {}): ServiceError {
  return new ServiceError('model_unavailable', MESSAGE, { cause, isInDoubt });
}

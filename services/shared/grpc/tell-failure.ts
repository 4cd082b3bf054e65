import { status, type ServiceError as GrpcError } from '@grpc/grpc-js';
import { toServiceError, type ServiceError } from '../service-error.ts';
import { toGrpcError } from './error-metadata.ts';
import type { Call } from './server.ts';

/** A failure of which nothing more can be said. */
const UNTOLD = { code: status.INTERNAL, details: 'unexpected failure' };

/** Tells the caller of a failure, if need be only that there was one. It never throws: that would end the process. */
export function tellFailure(thrown: unknown, call: Call, send: (error: Partial<GrpcError>) => void): void {
  for (const error of [() => toGrpcError(understood(thrown, call)), () => UNTOLD]) {
    try {
      send(error());
      return;
    } catch (unsendable) {
      call.log.error({ err: unsendable }, 'a failure could not be told');
    }
  }
}

function understood(thrown: unknown, call: Call): ServiceError {
  const error = toServiceError(thrown);
  if (error.code === 'internal_error') call.log.error({ err: thrown }, 'unexpected failure');
  else call.log.debug({ code: error.code, err: error.cause }, error.message);
  return error;
}

import { status, type ServiceError as GrpcError } from '@grpc/grpc-js';
import { toServiceError, type ErrorCode, type ServiceError } from '../service-error.ts';
import { toGrpcError } from './error-metadata.ts';
import type { Call } from './call-context.ts';

/** Sent when the failure itself cannot be sent. */
const UNKNOWN_FAILURE = { code: status.INTERNAL, details: 'unexpected failure' };

/**
 * Sends a failure to the caller, at least that there was one. It never throws: that would end the process. Returns the
 * code of the failure.
 */
export function sendFailure(
  thrown: unknown,
  call: Call,
  send: (error: Partial<GrpcError>) => void,
): ErrorCode {
  const failure = understood(thrown, call);
  for (const error of [() => toGrpcError(failure), () => UNKNOWN_FAILURE]) {
    try {
      send(error());
      break;
    } catch (unsendable) {
      call.log.error({ err: unsendable }, 'a failure could not be sent');
    }
  }
  return failure.code;
}

function understood(thrown: unknown, call: Call): ServiceError {
  const error = toServiceError(thrown);
  if (error.code === 'internal_error') call.log.error({ err: thrown }, 'unexpected failure');
  else call.log.debug({ code: error.code, err: error.cause }, error.message);
  return error;
}

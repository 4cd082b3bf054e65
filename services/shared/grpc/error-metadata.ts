import { Metadata, status, type ServiceError as GrpcError } from '@grpc/grpc-js';
import { isErrorCode, ServiceError, type ErrorCode, type FieldError } from '../service-error.ts';

const CODE = 'saring-code';
const DETAIL = 'saring-detail-bin';

/** How gRPC itself says that there is no answer. */
const AWAY = [status.UNAVAILABLE, status.DEADLINE_EXCEEDED, status.CANCELLED, status.RESOURCE_EXHAUSTED];

/** Details beyond this size are cut, far below the 16 KiB that peers accept as metadata. */
const MAX_DETAIL_ITEMS = 20;

/** How a ServiceError leaves a gRPC server: status for everybody, code and detail in metadata for our clients. */
export function toGrpcError(error: ServiceError): Partial<GrpcError> {
  const metadata = new Metadata();
  metadata.set(CODE, error.code);
  if (error.detail.length > 0) {
    metadata.set(
      DETAIL,
      Buffer.from(JSON.stringify(error.detail.slice(0, MAX_DETAIL_ITEMS)).slice(0, 8_000)),
    );
  }
  return { code: error.grpcStatus, details: error.message, metadata };
}

/**
 * How it arrives at a gRPC client. What is not ours is a dependency that failed: `unavailableCode` says which
 * one to the caller, or `internal_error` where the peer broke the protocol.
 */
export function fromGrpcError(error: GrpcError, unavailableCode: ErrorCode): ServiceError {
  const code = error.metadata?.get(CODE)[0]?.toString();
  if (isErrorCode(code))
    return new ServiceError(code, error.details, { detail: detailOf(error), cause: error });
  if (AWAY.includes(error.code)) {
    return new ServiceError(
      unavailableCode,
      'A part of the service does not answer at the moment. Try again.',
      {
        cause: error,
      },
    );
  }
  return new ServiceError('internal_error', 'A part of the service answered in an unexpected way.', {
    cause: error,
  });
}

/** Whether this failure of a call means that no service of ours answered it: it is away, or too slow. */
export function gaveNoAnswer(failure: ServiceError): boolean {
  const { code, metadata } = (failure.cause ?? {}) as Partial<GrpcError>;
  return code !== undefined && AWAY.includes(code) && !isErrorCode(metadata?.get(CODE)[0]?.toString());
}

function detailOf(error: GrpcError): FieldError[] {
  const packed = error.metadata.get(DETAIL)[0];
  if (!Buffer.isBuffer(packed)) return [];
  try {
    return JSON.parse(packed.toString()) as FieldError[];
  } catch {
    return [];
  }
}

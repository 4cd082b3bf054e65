import { Metadata, status, type ServiceError as GrpcError } from '@grpc/grpc-js';
import { cutText } from '#foundation/text/cut-text.ts';
import { isErrorCode, type ErrorCode } from '#foundation/errors/error-codes.ts';
import { ServiceError, type FieldError } from '#foundation/errors/service-error.ts';

const CODE = 'saring-code';
const DETAIL = 'saring-detail-bin';
const IN_DOUBT = 'saring-in-doubt';
const RETRY_AFTER = 'saring-retry-after';
const COST = 'saring-cost';

/** The gRPC statuses that mean that no service answered. */
const UNAVAILABLE = [
  status.UNAVAILABLE,
  status.DEADLINE_EXCEEDED,
  status.CANCELLED,
  status.RESOURCE_EXHAUSTED,
];

/** Limits on the encoded sizes. Together with other metadata they stay below the 16 KiB that peers accept. */
const MAX_MESSAGE_BYTES = 4_000;
const MAX_DETAIL_BYTES = 8_000;

/**
 * Converts a ServiceError for a gRPC server: the status for every client, the code and detail in metadata for our clients.
 * @param metadata that every response to the call has
 */
export function toGrpcError(error: ServiceError, metadata = new Metadata()): Partial<GrpcError> {
  metadata.set(CODE, error.code);
  if (error.isInDoubt) metadata.set(IN_DOUBT, 'true');
  if (error.retryAfterSeconds) metadata.set(RETRY_AFTER, String(error.retryAfterSeconds));
  if (error.costMs) metadata.set(COST, String(error.costMs));
  const detail = packed(error.detail);
  if (detail) metadata.set(DETAIL, detail);
  return { code: error.grpcStatus, details: sendable(error.message), metadata };
}

/**
 * Converts an error that arrives at a gRPC client. An error without one of our codes means that a dependency failed: it becomes
 * `unavailableCode`, or `internal_error` when the peer broke the protocol.
 */
export function fromGrpcError(error: GrpcError, unavailableCode: ErrorCode): ServiceError {
  const code = error.metadata?.get(CODE)[0]?.toString();
  if (isErrorCode(code))
    return new ServiceError(code, error.details, {
      detail: detailOf(error),
      cause: error,
      isInDoubt: error.metadata.get(IN_DOUBT).length > 0,
      retryAfterSeconds: Number(error.metadata.get(RETRY_AFTER)[0]) || undefined,
      costMs: Number(error.metadata.get(COST)[0]) || undefined,
    });
  if (UNAVAILABLE.includes(error.code)) {
    return notAnswering(unavailableCode, error, { isInDoubt: !wasNeverSent(error) });
  }
  return new ServiceError('internal_error', 'A part of the service answered in an unexpected way.', {
    cause: error,
  });
}

/** The error for a caller while a service does not respond. */
export function notAnswering(code: ErrorCode, cause: Error, { isInDoubt = false } = {}): ServiceError {
  const message = 'A part of the service does not answer at the moment. Try again.';
  return new ServiceError(code, message, { cause, isInDoubt });
}

/** Whether this failure means that no service answered the call: it is unavailable or too slow. */
export function gaveNoResponse(failure: ServiceError): boolean {
  const { code, metadata } = (failure.cause ?? {}) as Partial<GrpcError>;
  return code !== undefined && UNAVAILABLE.includes(code) && !isErrorCode(metadata?.get(CODE)[0]?.toString());
}

/** Whether gRPC reports that it had no connection to send the call on. Any other message counts as sent. */
function wasNeverSent({ code, details }: GrpcError): boolean {
  return code === status.UNAVAILABLE && /^(round_robin: )?No connection established/.test(details);
}

function detailOf(error: GrpcError): FieldError[] {
  const detail = error.metadata.get(DETAIL)[0];
  if (!Buffer.isBuffer(detail)) return [];
  try {
    return JSON.parse(detail.toString()) as FieldError[];
  } catch {
    // From an incompatible peer. Throwing here, in a gRPC callback, would end the process.
    return [];
  }
}

/** The detail as JSON. An item that does not fit goes without the value that was sent, or else not at all. */
function packed(detail: FieldError[]): Buffer | undefined {
  const items: string[] = [];
  let bytes = 2;
  for (const { input, ...item } of detail) {
    const fitting = [{ ...item, input }, item]
      .map((form) => JSON.stringify(form))
      .find((text) => bytes + Buffer.byteLength(text) + 1 <= MAX_DETAIL_BYTES);
    if (fitting === undefined) continue;
    items.push(fitting);
    bytes += Buffer.byteLength(fitting) + 1;
  }
  return items.length > 0 ? Buffer.from(`[${items.join(',')}]`) : undefined;
}

/** The message, cut to the limit. gRPC percent-encodes it, which fails on half a surrogate pair. */
function sendable(message: string): string {
  let text = cutText(message, MAX_MESSAGE_BYTES).toWellFormed();
  while (encodeURI(text).length > MAX_MESSAGE_BYTES) text = cutText(text, Math.floor(text.length * 0.9));
  return text;
}

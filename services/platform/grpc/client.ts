import {
  Client,
  status,
  type ClientReadableStream,
  type Metadata,
  type MethodDefinition,
  type ServiceError as GrpcError,
} from '@grpc/grpc-js';
import type { ErrorCode } from '#foundation/errors/error-codes.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { readCostTrailer, toMetadata, type CallContext } from './call-context.ts';
import { addIdentity, type CallerIdentity } from './callers.ts';
import { channelCredentials, type TlsSettings } from './credentials.ts';
import { fromGrpcError, notAnswering } from './error-metadata.ts';
import type { IsStream, RequestOf, ResponseOf, ServiceMethods } from './method-types.ts';
import { HealthCheckResponse_ServingStatus, HealthService } from '#proto/grpc/health/v1/health.ts';

export interface CallOptions extends CallContext {
  /** Overrides the client's deadline for this call. */
  timeoutMs?: number;
}

/** One function for each method: unary methods return a promise, streaming methods an async iterable. */
export type ServiceClient<S extends ServiceMethods> = {
  [K in keyof S]: (
    request: IsStream<S[K], 'requestStream'> extends true ? AsyncIterable<RequestOf<S[K]>> : RequestOf<S[K]>,
    options: CallOptions,
  ) => IsStream<S[K], 'responseStream'> extends true
    ? AsyncIterable<ResponseOf<S[K]>>
    : Promise<ResponseOf<S[K]>>;
} & { close(): void };

export interface ClientOptions {
  /** `host:port`. */
  address: string;
  /** The error code for the caller when the service does not answer. */
  unavailableCode: ErrorCode;
  /** The deadline of every call that does not set its own, or what says it of the path of a method. */
  timeoutMs: number | ((path: string) => number);
  tls: TlsSettings;
  /** The identity of this process. Absent where every call is open to anyone or carries the operator token. */
  identity?: CallerIdentity;
}

/** Limit of a response: far more than a full result with every feature column needs. */
const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

/**
 * When nothing comes back on a connection within both times together, for example because its other end lost it silently, the
 * client replaces it. Without pings, calls would fail and streams stay silent until the kernel stops retransmitting.
 */
const PING_EVERY_MS = 5_000;
/** Longer than a busy process takes to answer a ping. */
const PONG_WITHIN_MS = 10_000;

/** Creates a typed client of a generated service. Failures arrive as ServiceError. */
export function createGrpcClient<S extends ServiceMethods>(
  definition: S,
  options: ClientOptions,
): ServiceClient<S> {
  const channel = new Client(options.address, channelCredentials(options.tls), {
    'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 1_000,
    'grpc.keepalive_time_ms': PING_EVERY_MS,
    'grpc.keepalive_timeout_ms': PONG_WITHIN_MS,
    // Pings idle connections too, so that the first call after a quiet time does not find a dead one.
    'grpc.keepalive_permit_without_calls': 1,
    // Calls take turns over all addresses of the name. An address whose connection breaks is skipped.
    'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
  });
  const peer = new Peer(options);
  const calls = Object.entries(definition).map(([name, method]) => [name, callOf(channel, method, peer)]);
  return { ...Object.fromEntries(calls), close: () => channel.close() } as ServiceClient<S>;
}

/**
 * Whether the service refused a message of the request for its size. The status is also that of services that are unavailable, but no
 * repetition would help. A response over this client's own limit has the same status and text.
 */
function isTooLarge({ code, details }: GrpcError): boolean {
  const [, limit] = /^Received message larger than max \(\d+ vs (\d+)\)$/.exec(details) ?? [];
  return code === status.RESOURCE_EXHAUSTED && limit !== undefined && Number(limit) !== MAX_MESSAGE_BYTES;
}

/** The codes with which a service refuses a process that does not prove its identity. */
const IDENTITY_REFUSALS: ErrorCode[] = [
  'caller_identity_required',
  'caller_not_allowed',
  'operator_token_required',
];
/** A refused identity fails every call. The log gets one line in this time. */
const REFUSAL_LOG_PAUSE_MS = 10_000;

/** The called service, as seen by this process. */
class Peer {
  readonly #options: ClientOptions;
  #refusalLoggedAtMs = -Infinity;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  deadlineOf(path: string, call: CallOptions): number {
    const usual = this.#options.timeoutMs;
    return Date.now() + (call.timeoutMs ?? (typeof usual === 'number' ? usual : usual(path)));
  }

  metadataOf(call: CallOptions): Metadata {
    const metadata = toMetadata(call);
    if (this.#options.identity) addIdentity(metadata, this.#options.identity);
    return metadata;
  }

  /** A service that refuses this process's identity is reported as unavailable, because the original caller cannot fix it. */
  understood(error: GrpcError): ServiceError {
    const { identity, unavailableCode } = this.#options;
    if (isTooLarge(error))
      return new ServiceError('payload_too_large', 'The request is larger than the service accepts.', {
        cause: error,
      });
    const failure = fromGrpcError(error, unavailableCode);
    if (!identity || !IDENTITY_REFUSALS.includes(failure.code)) return failure;
    this.#logRefusal(identity, failure);
    return notAnswering(unavailableCode, failure);
  }

  #logRefusal({ name, setting, log }: CallerIdentity, { code, message }: ServiceError): void {
    if (performance.now() - this.#refusalLoggedAtMs < REFUSAL_LOG_PAUSE_MS) return;
    this.#refusalLoggedAtMs = performance.now();
    const reason = `${setting}, or the name in GRPC_TLS_CERT, does not prove to the service that this is ${name}`;
    log.error(
      { address: this.#options.address, code, refusal: message, reason },
      'a service refuses the calls of this process',
    );
  }
}

function callOf(channel: Client, method: MethodDefinition<unknown, unknown>, peer: Peer) {
  if (method.requestStream && !method.responseStream)
    throw new Error(`${method.path}: client streams answer in streams`);
  if (!method.responseStream) {
    return (request: unknown, call: CallOptions) => unary(channel, method, peer, request, call);
  }
  return (request: unknown, call: CallOptions) => streaming(channel, method, peer, request, call);
}

function unary(
  channel: Client,
  method: MethodDefinition<unknown, unknown>,
  peer: Peer,
  request: unknown,
  call: CallOptions,
): Promise<unknown> {
  const deadline = peer.deadlineOf(method.path, call);
  const { path, requestSerialize, responseDeserialize } = method;
  return new Promise((resolve, reject) => {
    const send = (attempt: number) => {
      const running = channel.makeUnaryRequest(
        path,
        requestSerialize,
        responseDeserialize,
        request,
        peer.metadataOf(call),
        { deadline },
        (error, response) => {
          call.signal?.removeEventListener('abort', abort);
          if (!error) resolve(response);
          else if (isRefusedUnread(error) && attempt < MAX_ATTEMPTS && !call.signal?.aborted)
            setTimeout(() => send(attempt + 1), REFUSED_PAUSE_MS);
          else reject(peer.understood(error));
        },
      );
      if (call.cost) running.on('status', ({ metadata }) => readCostTrailer(call, metadata));
      const abort = () => running.cancel();
      if (call.signal?.aborted) abort();
      call.signal?.addEventListener('abort', abort, { once: true });
    };
    send(1);
  });
}

/**
 * A server that stops refuses calls that were under way to it, unread, so that they may be sent again. gRPC does so once, and
 * sometimes on the very connection that is closing. The next one is open within this time.
 */
const REFUSED_PAUSE_MS = 20;
const MAX_ATTEMPTS = 10;

function isRefusedUnread({ code, details }: GrpcError): boolean {
  return code === status.UNAVAILABLE && details === 'Stream refused by server';
}

async function* streaming(
  channel: Client,
  method: MethodDefinition<unknown, unknown>,
  peer: Peer,
  request: unknown,
  call: CallOptions,
): AsyncGenerator<unknown> {
  const options = { deadline: peer.deadlineOf(method.path, call) };
  const { path, requestSerialize, responseDeserialize } = method;
  let stream: ClientReadableStream<unknown>;
  if (method.requestStream) {
    const duplex = channel.makeBidiStreamRequest(
      path,
      requestSerialize,
      responseDeserialize,
      peer.metadataOf(call),
      options,
    );
    void sendAll(duplex, request as AsyncIterable<unknown>);
    stream = duplex;
  } else {
    stream = channel.makeServerStreamRequest(
      path,
      requestSerialize,
      responseDeserialize,
      request,
      peer.metadataOf(call),
      options,
    );
  }
  const abort = () => stream.cancel();
  if (call.signal?.aborted) abort();
  call.signal?.addEventListener('abort', abort, { once: true });
  try {
    yield* stream;
  } catch (error) {
    throw peer.understood(error as GrpcError);
  } finally {
    call.signal?.removeEventListener('abort', abort);
    stream.cancel();
  }
}

/** Sends with back-pressure. If the source fails, the call is cancelled and the reading side reports the failure. */
async function sendAll(
  duplex: ReturnType<Client['makeBidiStreamRequest']>,
  messages: AsyncIterable<unknown>,
): Promise<void> {
  try {
    for await (const message of messages) {
      if (duplex.destroyed) return;
      if (!duplex.write(message)) await drainedOrClosed(duplex);
    }
    duplex.end();
  } catch (error) {
    duplex.destroy(error as Error);
  }
}

function drainedOrClosed(duplex: NodeJS.EventEmitter): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      duplex.off('drain', done).off('close', done);
      resolve();
    };
    duplex.on('drain', done).on('close', done);
  });
}

export type HealthClient = ServiceClient<typeof HealthService>;

/** A client of the standard gRPC health check, which every service implements. */
export function createHealthClient(options: ClientOptions): HealthClient {
  return createGrpcClient(HealthService, options);
}

/**
 * Whether a process, or a part of it, says that it can serve.
 * @throws ServiceError if it does not answer, or has no such part
 */
export async function isServing(client: HealthClient, call: CallOptions, part = ''): Promise<boolean> {
  const { status } = await client.check({ service: part }, call);
  return status === HealthCheckResponse_ServingStatus.SERVING;
}

import { Client, type ClientReadableStream, type MethodDefinition } from '@grpc/grpc-js';
import type { ErrorCode } from '../service-error.ts';
import { toMetadata, type CallContext } from './call-context.ts';
import { channelCredentials, type TlsSettings } from './credentials.ts';
import { fromGrpcError } from './error-metadata.ts';
import type { IsStream, RequestOf, ResponseOf, ServiceMethods } from './method-types.ts';

export interface CallOptions extends CallContext {
  /** Overrides the client's deadline for this call. */
  timeoutMs?: number;
}

/** A call per method: unary ones return a promise, streaming ones an async iterable. */
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
  /** Code the caller sees when the service does not answer. */
  unavailableCode: ErrorCode;
  /** Deadline of every call, unless the call says otherwise. */
  timeoutMs: number;
  tls: TlsSettings;
}

/** A full result with every feature column stays far below this. */
const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

/** Makes a typed client of a generated service. Failures arrive as ServiceError. */
export function createGrpcClient<S extends ServiceMethods>(
  definition: S,
  options: ClientOptions,
): ServiceClient<S> {
  const channel = new Client(options.address, channelCredentials(options.tls), {
    'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 1_000,
  });
  const calls = Object.entries(definition).map(([name, method]) => [name, callOf(channel, method, options)]);
  return { ...Object.fromEntries(calls), close: () => channel.close() } as ServiceClient<S>;
}

function callOf(channel: Client, method: MethodDefinition<unknown, unknown>, defaults: ClientOptions) {
  if (method.requestStream && !method.responseStream)
    throw new Error(`${method.path}: client streams answer in streams`);
  if (!method.responseStream) {
    return (request: unknown, call: CallOptions) => unary(channel, method, defaults, request, call);
  }
  return (request: unknown, call: CallOptions) => streaming(channel, method, defaults, request, call);
}

function unary(
  channel: Client,
  method: MethodDefinition<unknown, unknown>,
  defaults: ClientOptions,
  request: unknown,
  call: CallOptions,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const deadline = Date.now() + (call.timeoutMs ?? defaults.timeoutMs);
    const { path, requestSerialize, responseDeserialize } = method;
    const running = channel.makeUnaryRequest(
      path,
      requestSerialize,
      responseDeserialize,
      request,
      toMetadata(call),
      { deadline },
      (error, response) => {
        call.signal?.removeEventListener('abort', abort);
        if (error) reject(fromGrpcError(error, defaults.unavailableCode));
        else resolve(response);
      },
    );
    const abort = () => running.cancel();
    if (call.signal?.aborted) abort();
    call.signal?.addEventListener('abort', abort, { once: true });
  });
}

async function* streaming(
  channel: Client,
  method: MethodDefinition<unknown, unknown>,
  defaults: ClientOptions,
  request: unknown,
  call: CallOptions,
): AsyncGenerator<unknown> {
  const options = { deadline: Date.now() + (call.timeoutMs ?? defaults.timeoutMs) };
  const { path, requestSerialize, responseDeserialize } = method;
  let stream: ClientReadableStream<unknown>;
  if (method.requestStream) {
    const duplex = channel.makeBidiStreamRequest(
      path,
      requestSerialize,
      responseDeserialize,
      toMetadata(call),
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
      toMetadata(call),
      options,
    );
  }
  const abort = () => stream.cancel();
  if (call.signal?.aborted) abort();
  call.signal?.addEventListener('abort', abort, { once: true });
  try {
    yield* stream;
  } catch (error) {
    throw fromGrpcError(error as Parameters<typeof fromGrpcError>[0], defaults.unavailableCode);
  } finally {
    call.signal?.removeEventListener('abort', abort);
    stream.cancel();
  }
}

/** Writes with back-pressure. A source that fails cancels the call, which the reading side reports. */
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

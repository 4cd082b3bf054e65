import { once } from 'node:events';
import {
  Server,
  type Metadata,
  type MethodDefinition,
  type ServerDuplexStream,
  type ServerUnaryCall,
  type ServerWritableStream,
  type sendUnaryData,
} from '@grpc/grpc-js';
import { HealthImplementation } from 'grpc-health-check';
import type { Logger } from '../logger.ts';
import { fromMetadata, type CallContext } from './call-context.ts';
import { serverCredentials, type TlsSettings } from './credentials.ts';
import type { IsStream, RequestOf, ResponseOf, ServiceMethods } from './method-types.ts';
import { reflection } from './reflection.ts';
import { sameSecret } from './same-secret.ts';
import { tellFailure } from './tell-failure.ts';

/** What a handler knows of its call. */
export interface Call extends CallContext {
  signal: AbortSignal;
  log: Logger;
  /** Whether the caller proved to be the operator. */
  isOperator: boolean;
}

type Handler<M> = (
  request: IsStream<M, 'requestStream'> extends true ? AsyncIterable<RequestOf<M>> : RequestOf<M>,
  call: Call,
) => IsStream<M, 'responseStream'> extends true ? AsyncIterable<ResponseOf<M>> : Promise<ResponseOf<M>>;

/** A handler per method of a generated service. */
export type Handlers<S extends ServiceMethods> = { [K in keyof S]: Handler<S[K]> };

export interface GrpcServerOptions {
  config: TlsSettings & { GRPC_HOST: string; GRPC_PORT: number };
  log: Logger;
  /** Absent where a service has no administrative calls. */
  operatorToken?: string;
}

/** Calls still running when a stop begins get this long. */
const DRAIN_MS = 5_000;
const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

/** A gRPC server with health and reflection. Add services, then `listen`. */
export class GrpcServer {
  readonly #server = new Server({ 'grpc.max_receive_message_length': MAX_MESSAGE_BYTES });
  readonly #health = new HealthImplementation({ '': 'NOT_SERVING' });
  readonly #options: GrpcServerOptions;
  /** Full names of what was added. */
  readonly #services = new Set<string>();

  constructor(options: GrpcServerOptions) {
    this.#options = options;
    this.#health.addToServer(this.#server);
  }

  add<S extends ServiceMethods>(definition: S, handlers: Handlers<S>): this {
    const adapted = Object.entries(definition).map(([name, method]) => [
      name,
      this.#adapt(method, handlers[name] as AnyHandler),
    ]);
    this.#server.addService(definition, Object.fromEntries(adapted) as never);
    for (const { path } of Object.values(definition)) this.#services.add(path.split('/')[1]!);
    return this;
  }

  /** Binds and reports healthy. Returns the port, which the system chooses for port 0. */
  async listen(): Promise<number> {
    const { GRPC_HOST, GRPC_PORT } = this.#options.config;
    const credentials = serverCredentials(this.#options.config);
    reflection([...this.#services]).addToServer(this.#server);
    const port = await new Promise<number>((resolve, reject) => {
      this.#server.bindAsync(`${GRPC_HOST}:${GRPC_PORT}`, credentials, (error, bound) =>
        error
          ? reject(new Error(`port ${GRPC_PORT} on ${GRPC_HOST} cannot be used: ${error.message}`))
          : resolve(bound),
      );
    });
    this.#health.setStatus('', 'SERVING');
    return port;
  }

  async stop(): Promise<void> {
    this.#health.setStatus('', 'NOT_SERVING');
    const drained = new Promise<void>((resolve) => this.#server.tryShutdown(() => resolve()));
    const overdue = setTimeout(() => this.#server.forceShutdown(), DRAIN_MS);
    await drained;
    clearTimeout(overdue);
  }

  #adapt(method: MethodDefinition<unknown, unknown>, handler: AnyHandler) {
    if (!method.responseStream) {
      return (call: ServerUnaryCall<unknown, unknown>, callback: sendUnaryData<unknown>) => {
        void this.#answer(call, method, handler, callback);
      };
    }
    return (call: ServerWritableStream<unknown, unknown> | ServerDuplexStream<unknown, unknown>) => {
      void this.#stream(call, method, handler);
    };
  }

  async #answer(
    call: ServerUnaryCall<unknown, unknown>,
    method: MethodDefinition<unknown, unknown>,
    handler: AnyHandler,
    callback: sendUnaryData<unknown>,
  ): Promise<void> {
    const context = this.#contextOf(call, method.path);
    try {
      callback(null, await handler(call.request, context));
    } catch (thrown) {
      tellFailure(thrown, context, callback);
    }
  }

  async #stream(
    call: ServerWritableStream<unknown, unknown> | ServerDuplexStream<unknown, unknown>,
    method: MethodDefinition<unknown, unknown>,
    handler: AnyHandler,
  ): Promise<void> {
    const context = this.#contextOf(call, method.path);
    try {
      const input = method.requestStream ? call : (call as ServerWritableStream<unknown, unknown>).request;
      for await (const message of handler(input, context) as AsyncIterable<unknown>) {
        if (call.cancelled) return;
        if (!call.write(message)) await drained(call, context.signal);
      }
      call.end();
    } catch (thrown) {
      tellFailure(thrown, context, (error) => call.emit('error', error));
    }
  }

  #contextOf(call: { metadata: Metadata } & NodeJS.EventEmitter, path: string): Call {
    const context = fromMetadata(call.metadata);
    const abort = new AbortController();
    call.on('cancelled', () => abort.abort());
    return {
      ...context,
      signal: abort.signal,
      isOperator: sameSecret(context.operatorToken, this.#options.operatorToken),
      log: this.#options.log.child({ request_id: context.requestId, method: path }),
    };
  }
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the typed side is `Handlers`
type AnyHandler = (request: any, call: Call) => unknown;

/** Returns when the caller has gone, too. */
async function drained(call: NodeJS.EventEmitter, signal: AbortSignal): Promise<void> {
  await once(call, 'drain', { signal }).catch(() => {});
}

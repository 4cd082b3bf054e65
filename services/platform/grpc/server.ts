import { once } from 'node:events';
import {
  Server,
  ServerInterceptingCall,
  type Metadata,
  type MethodDefinition,
  type ServerDuplexStream,
  type ServerInterceptingCallInterface,
  type ServerListener,
  type ServerUnaryCall,
  type ServerWritableStream,
  type sendUnaryData,
  status,
  type ServiceError as GrpcError,
  type StatusObject,
} from '@grpc/grpc-js';
import type { Logger } from '../operations/logger.ts';
import type { OpenSpan } from '../operations/span.ts';
import { beginSpan } from '../operations/tracing.ts';
import { methodAt } from '../wire/descriptors.ts';
import { requestCheck } from '../wire/request-check.ts';
import { accessTo, type AccessRule } from './access.ts';
import { costTrailer, fromMetadata, type Call } from './call-context.ts';
import { CallMetrics } from './call-metrics.ts';
import { Callers, type CallerSettings } from './callers.ts';
import { serverCredentials } from './credentials.ts';
import type { CheckedRequestOf, IsStream, RequestOf, ResponseOf, ServiceMethods } from './method-types.ts';
import { Health } from './health.ts';
import { addReflection } from './reflection.ts';
import type { ErrorCode } from '#foundation/errors/error-codes.ts';
import { toServiceError, type ServiceError } from '#foundation/errors/service-error.ts';
import { toGrpcError } from './error-metadata.ts';

type Handler<M> = (
  request: IsStream<M, 'requestStream'> extends true ? AsyncIterable<RequestOf<M>> : CheckedRequestOf<M>,
  call: Call,
) => IsStream<M, 'responseStream'> extends true ? AsyncIterable<ResponseOf<M>> : Promise<ResponseOf<M>>;

/** One handler for each method of a generated service. */
export type Handlers<S extends ServiceMethods> = { [K in keyof S]: Handler<S[K]> };

export interface GrpcServerOptions {
  /** Name of the service, for its metrics and spans. */
  service: string;
  config: CallerSettings & { GRPC_HOST: string; GRPC_PORT: number };
  log: Logger;
  /** Largest message of a request, for a service that takes larger ones than others. */
  maxRequestBytes?: number;
}

/** How long a stop waits for calls that are still running. */
const DRAIN_MS = 5_000;
/**
 * Calls that anyone may make can fill this much memory each. The largest request of a gateway, a run whose body has the usual
 * BODY_LIMIT and consists of numbers, has 0.7 MiB.
 */
const MAX_REQUEST_BYTES = 1024 * 1024;

/** A gRPC server with health and reflection. It admits the callers that `access.ts` names. Add services, then `listen`. */
export class GrpcServer {
  readonly #server: Server;
  readonly #health = new Health();
  readonly #options: GrpcServerOptions;
  readonly #callers: Callers;
  /** Full names of the added services. */
  readonly #services = new Set<string>();
  /** Their methods by path. */
  readonly #served = new Map<string, ServedMethod>();

  constructor(options: GrpcServerOptions) {
    this.#server = new Server({
      'grpc.max_receive_message_length': options.maxRequestBytes ?? MAX_REQUEST_BYTES,
      interceptors: [({ path }, call) => this.#admitted(call, this.#served.get(path))],
    });
    this.#options = options;
    this.#callers = new Callers(options.config);
    this.#health.addTo(this.#server);
  }

  /** @throws Error for a method without an access rule, or with a rule that no caller could meet */
  add<S extends ServiceMethods>(definition: S, handlers: Handlers<S>): this {
    const adapted = Object.entries(definition).map(([name, method]) => [
      name,
      this.#adapt(method, this.#ruleOf(method), checked(method, handlers[name] as AnyHandler)),
    ]);
    this.#server.addService(definition, Object.fromEntries(adapted) as never);
    for (const method of Object.values(definition)) this.#services.add(serviceOf(method));
    return this;
  }

  /** Binds and reports healthy. Returns the port, which the system chooses when GRPC_PORT is 0. */
  async listen(): Promise<number> {
    const port = await this.bind();
    this.reportHealthy();
    return port;
  }

  /** Accepts calls but reports NOT_SERVING until `reportHealthy`, for a service that becomes ready later. */
  async bind(): Promise<number> {
    const { GRPC_HOST, GRPC_PORT } = this.#options.config;
    const credentials = serverCredentials(this.#options.config);
    addReflection(this.#server, [...this.#services]);
    const port = await new Promise<number>((resolve, reject) => {
      this.#server.bindAsync(`${GRPC_HOST}:${GRPC_PORT}`, credentials, (error, bound) =>
        error
          ? reject(new Error(`port ${GRPC_PORT} on ${GRPC_HOST} cannot be used: ${error.message}`))
          : resolve(bound),
      );
    });
    return port;
  }

  reportHealthy(): void {
    this.#health.setStatus(true);
  }

  /** Sets the health status of a named part. */
  reportPart(name: string, isUp: boolean): void {
    this.#health.setStatus(isUp, name);
  }

  async stop(): Promise<void> {
    this.#health.setStatus(false);
    const drained = new Promise<void>((resolve) => this.#server.tryShutdown(() => resolve()));
    const overdue = setTimeout(() => this.#server.forceShutdown(), DRAIN_MS);
    await drained;
    clearTimeout(overdue);
  }

  #ruleOf({ path }: MethodDefinition<unknown, unknown>): AccessRule {
    const rule = accessTo(path);
    this.#callers.requireProofFor(rule);
    return rule;
  }

  #adapt(method: MethodDefinition<unknown, unknown>, rule: AccessRule, handler: AnyHandler) {
    const served = { method, rule, handler, metrics: new CallMetrics(this.#options.service, method.path) };
    this.#served.set(method.path, served);
    if (!method.responseStream) {
      return (call: ServerUnaryCall<unknown, unknown>, callback: sendUnaryData<unknown>) => {
        void this.#answer(call, served, callback);
      };
    }
    return (call: ServerWritableStream<unknown, unknown> | ServerDuplexStream<unknown, unknown>) => {
      void this.#stream(call, served);
    };
  }

  /**
   * Refuses a call by its metadata, before any message is read: otherwise callers without identity could fill the memory with
   * large messages.
   * @param served undefined for health and reflection, which are open to everyone
   */
  #admitted(call: ServerInterceptingCallInterface, served: ServedMethod | undefined): ServerInterceptingCall {
    if (!served || served.rule === 'anyone') return new ServerInterceptingCall(call);
    const onReceiveMetadata: ServerListener['onReceiveMetadata'] = (metadata, admit) => {
      try {
        this.#callers.admit(served.rule, { metadata, getAuthContext: () => call.getAuthContext() });
      } catch (refusal) {
        const handler = () => {
          throw refusal;
        };
        const received = { metadata, getDeadline: () => call.getDeadline(), on: () => {}, request: {} };
        void this.#answer(received, { ...served, handler }, (error) =>
          call.sendStatus(error as StatusObject),
        );
        return;
      }
      admit(metadata);
    };
    return new ServerInterceptingCall(call, { start: (next) => next({ onReceiveMetadata }) });
  }

  async #answer(
    call: ReceivedCall & { request: unknown },
    { method, handler, metrics }: ServedMethod,
    callback: sendUnaryData<unknown>,
  ): Promise<void> {
    const beganMs = performance.now();
    const { context, span } = this.#contextOf(call, method.path);
    let failure: string | undefined;
    try {
      const response = await handler(call.request, context);
      callback(null, response, costTrailer(context));
    } catch (thrown) {
      failure = sendFailure(thrown, context, callback);
      if (failure) metrics.failed(failure);
    }
    metrics.answered(beganMs);
    span?.end({ error: failure });
    context.log.info({ code: failure, ms: Math.round(performance.now() - beganMs) }, 'call');
  }

  async #stream(
    call: ServerWritableStream<unknown, unknown> | ServerDuplexStream<unknown, unknown>,
    { method, handler, metrics }: ServedMethod,
  ): Promise<void> {
    const { context, span } = this.#contextOf(call, method.path);
    metrics.streamOpened();
    let failure: string | undefined;
    try {
      const input = method.requestStream ? call : (call as ServerWritableStream<unknown, unknown>).request;
      for await (const message of handler(input, context) as AsyncIterable<unknown>) {
        if (call.cancelled) return;
        if (!call.write(message)) await drained(call, context.signal);
      }
      call.end();
    } catch (thrown) {
      failure = sendFailure(thrown, context, (error) => call.emit('error', error));
      if (failure) metrics.failed(failure);
    } finally {
      metrics.streamEnded();
      span?.end({ error: failure });
      context.log.info({ code: failure }, 'stream ended');
    }
  }

  #contextOf(call: ReceivedCall, path: string): { context: Call; span: OpenSpan | undefined } {
    const received = fromMetadata(call.metadata);
    const { service, log } = this.#options;
    const span = beginSpan({ service, name: path.slice(1), kind: 'server', parent: received.traceparent });
    const abort = new AbortController();
    call.on('cancelled', () => abort.abort());
    const context = {
      ...received,
      traceparent: span?.traceparent ?? received.traceparent,
      signal: abort.signal,
      remainingMs: Number(call.getDeadline()) - Date.now(),
      log: log.child({ request_id: received.requestId, method: path }),
    };
    return { context, span };
  }
}

/** A method with everything needed to serve it. */
interface ServedMethod {
  method: MethodDefinition<unknown, unknown>;
  rule: AccessRule;
  handler: AnyHandler;
  metrics: CallMetrics;
}

interface ReceivedCall {
  metadata: Metadata;
  getDeadline: () => Date | number;
  on: (event: 'cancelled', listener: () => void) => unknown;
}

// oxlint-disable-next-line typescript/no-explicit-any -- the typed side is `Handlers`
type AnyHandler = (request: any, call: Call) => unknown;

/** Wraps a handler so that it only gets requests that follow the rules of their message. Of a stream, each message is checked. */
function checked(
  { path, requestStream }: MethodDefinition<unknown, unknown>,
  handler: AnyHandler,
): AnyHandler {
  const method = methodAt(path);
  const check = method && requestCheck(method.input);
  if (!check) return handler;
  if (requestStream)
    return (requests: AsyncIterable<object>, call) => handler(checkedEach(requests, check), call);
  return (request: object, call) => {
    check(request);
    return handler(request, call);
  };
}

/** Not a generator: one that fails ends the loop over the call, which destroys the call before the failure is sent. */
function checkedEach(
  requests: AsyncIterable<object>,
  check: (request: object) => void,
): AsyncIterable<object> {
  return {
    [Symbol.asyncIterator]: () => {
      const received = requests[Symbol.asyncIterator]();
      const next = async () => {
        const result = await received.next();
        if (!result.done) check(result.value);
        return result;
      };
      return { ...(received.return && { return: () => received.return!() }), next };
    },
  };
}

/** The full name of the service that a method belongs to. */
function serviceOf({ path }: MethodDefinition<unknown, unknown>): string {
  return path.split('/')[1]!;
}

/** Waits until the call can take more data, or until its caller has disconnected. */
async function drained(call: NodeJS.EventEmitter, signal: AbortSignal): Promise<void> {
  await once(call, 'drain', { signal }).catch(() => {});
}

/** Sent when the actual failure cannot be sent. */
const UNKNOWN_FAILURE = { code: status.INTERNAL, details: 'unexpected failure' };

/**
 * Sends a failure to the caller, or at least the fact that there was one. Never throws, because that would end the process.
 * Returns the code of the failure; none for work that its caller is to pay first.
 */
function sendFailure(
  thrown: unknown,
  call: Call,
  send: (error: Partial<GrpcError>) => void,
): ErrorCode | undefined {
  const failure = understood(thrown, call);
  for (const error of [() => toGrpcError(failure, costTrailer(call)), () => UNKNOWN_FAILURE]) {
    try {
      send(error());
      break;
    } catch (unsendable) {
      call.log.error({ err: unsendable }, 'a failure could not be sent');
    }
  }
  return failure.costMs === undefined ? failure.code : undefined;
}

function understood(thrown: unknown, call: Call): ServiceError {
  const error = toServiceError(thrown);
  if (error.code === 'internal_error') call.log.error({ err: thrown }, 'unexpected failure');
  else call.log.debug({ code: error.code, err: error.cause }, error.message);
  return error;
}

import createClient from 'openapi-fetch';
import { boundedResponse, MAX_RESPONSE_BYTES } from './bounded-response.ts';
import type { CallOptions, InputArgument, Method, PathOf, ReplyOf } from './api-types.ts';
import { CallLimit } from './call-limit.ts';
import { Deprecations, type DeprecationNotice } from './deprecations.ts';
import { errorOfResponse, isPassing, SaringError } from './saring-error.ts';
import type { paths } from '../gen/api.ts';
import { REPEATABLE_POSTS } from '../gen/repeatable-posts.ts';

export interface ClientOptions {
  /** Root of the server, such as `https://saring.example.com`. */
  baseUrl: string;
  /** Keep it on a server: anyone who has it can act as your application. */
  apiKey: string;
  /** Default id of the application’s user: 1 to 64 of A-Z, a-z, 0-9, dot, underscore, hyphen. */
  endUser?: string;
  /** Language of sentences in answers; Bahasa Indonesia when absent. */
  language?: 'id' | 'en';
  /**
   * Default time limit of a call, retries included. Milliseconds; 90,000 when absent. It does not apply to following
   * a job, which has a default of five minutes.
   */
  timeoutMs?: number;
  /** How often a request is retried at most; 5 when absent. */
  retries?: number;
  /**
   * Largest answer, and largest event of a job, that is read; 67,108,864 bytes (64 MiB) when absent. A larger answer fails
   * with `unexpected_answer`. Instead of reading a larger event, the client polls the job.
   */
  maxResponseBytes?: number;
  /**
   * Is told, once per endpoint, that a call used what is going to be removed. By default nobody is told. It is called on its own: if
   * it throws, the call goes on.
   */
  onDeprecation?: (notice: DeprecationNotice) => void;
  /** Replaces the platform’s own fetch. */
  fetch?: (request: Request) => Promise<Response>;
}

/** The answer to a call. */
export interface Answer<Data> {
  data: Data;
  status: number;
  headers: Headers;
  /** Quote it when you report a problem with the request. */
  requestId: string | undefined;
}

/** Longer than the API may hold a submission for its result, and longer than the minute of the rate limit. */
const TIMEOUT_MS = 90_000;
/** The retries span some seconds in all, enough for a gateway to restart. */
const RETRIES = 5;

type ParseAs = 'json' | 'arrayBuffer' | 'stream';
type Sent = { data?: unknown; error?: unknown; response: Response };
type Send = (method: Method, path: string, init: object) => Promise<Sent>;
type LooseInput = CallOptions & { path?: object; query?: object; body?: unknown };

interface Call {
  method: Method;
  path: string;
  input: LooseInput | undefined;
  parseAs: ParseAs;
}

/** Sends requests, retries those that may succeed a little later, and throws failures as a SaringError. */
export class Transport {
  readonly #send: Send;
  readonly #options: ClientOptions;
  readonly #deprecations: Deprecations;

  constructor(options: ClientOptions) {
    const { baseUrl, apiKey, language } = options;
    this.#deprecations = new Deprecations(baseUrl, options.onDeprecation);
    const headers = {
      authorization: `Bearer ${apiKey}`,
      ...(language !== undefined && { 'accept-language': language }),
    };
    const client = createClient<paths>({ baseUrl: new URL(baseUrl).href, headers });
    this.#send = client.request as unknown as Send;
    this.#options = options;
  }

  get maxResponseBytes(): number {
    return this.#options.maxResponseBytes ?? MAX_RESPONSE_BYTES;
  }

  /** Sends a GET and returns the body of the response. */
  async get<P extends PathOf<'get'>>(path: P, ...input: InputArgument<'get', P>): Promise<ReplyOf<'get', P>> {
    return (await this.request('get', path, ...input)).data;
  }

  /** Sends a POST and returns the body of the response. */
  async post<P extends PathOf<'post'>>(
    path: P,
    ...input: InputArgument<'post', P>
  ): Promise<ReplyOf<'post', P>> {
    return (await this.request('post', path, ...input)).data;
  }

  /** Sends a PUT and returns the body of the response. It is not retried. */
  async put<P extends PathOf<'put'>>(path: P, ...input: InputArgument<'put', P>): Promise<ReplyOf<'put', P>> {
    return (await this.request('put', path, ...input)).data;
  }

  /** Sends a DELETE and returns the body of the response. It is not retried. */
  async delete<P extends PathOf<'delete'>>(
    path: P,
    ...input: InputArgument<'delete', P>
  ): Promise<ReplyOf<'delete', P>> {
    return (await this.request('delete', path, ...input)).data;
  }

  /** Sends a request and returns the answer with its status and headers. */
  request<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    ...[input]: InputArgument<M, P>
  ): Promise<Answer<ReplyOf<M, P>>> {
    return this.#call<ReplyOf<M, P>>({ method, path, input, parseAs: 'json' });
  }

  /** Returns the bytes of a file. */
  async bytes<P extends PathOf<'get'>>(path: P, ...[input]: InputArgument<'get', P>): Promise<Uint8Array> {
    const { data } = await this.#call<ArrayBuffer>({ method: 'get', path, input, parseAs: 'arrayBuffer' });
    return new Uint8Array(data);
  }

  /** Sends a POST and returns the bytes of the file that answers it. */
  async postForBytes<P extends PathOf<'post'>>(
    path: P,
    ...[input]: InputArgument<'post', P>
  ): Promise<Uint8Array> {
    const { data } = await this.#call<ArrayBuffer>({ method: 'post', path, input, parseAs: 'arrayBuffer' });
    return new Uint8Array(data);
  }

  /**
   * Opens a streamed answer, which may last as long as the limit allows. Does not retry: the caller
   * decides how to go on.
   */
  async stream<P extends PathOf<'get'>>(path: P, input: LooseInput, limit: CallLimit) {
    const call: Call = { method: 'get', path, input, parseAs: 'stream' };
    const { data, headers } = await this.#within<ReadableStream<Uint8Array>>(limit, call);
    return { body: data, contentType: headers.get('content-type') ?? '' };
  }

  async #call<Data>(call: Call): Promise<Answer<Data>> {
    const { timeoutMs = this.#options.timeoutMs ?? TIMEOUT_MS, signal } = call.input ?? {};
    const limit = new CallLimit(timeoutMs, signal);
    try {
      return await this.#within<Data>(limit, call);
    } finally {
      limit.close();
    }
  }

  /** Throws the failure instead of starting a wait that would not fit into the time that is left. */
  async #within<Data>(limit: CallLimit, call: Call): Promise<Answer<Data>> {
    const retries = isRepeatable(call) ? (this.#options.retries ?? RETRIES) : 0;
    const init = { ...this.#init(call), signal: limit.signal };
    for (let repetitions = 0; ; repetitions++) {
      const outcome = await this.#attempt<Data>(limit, call, init);
      if (!(outcome instanceof SaringError)) return outcome;
      const delayMs = retryDelayMs(outcome, repetitions);
      if (repetitions >= retries || !isPassing(outcome) || delayMs > limit.remainingMs) throw outcome;
      await limit.sleep(delayMs);
    }
  }

  /** The part of a request that is the same for every retry. */
  #init({ method, path, input = {}, parseAs }: Call): object {
    const { query, body } = input;
    refuseDotSegments(input.path);
    const endUser = input.endUser ?? this.#options.endUser;
    const keyed = method === 'post' && REPEATABLE_POSTS[path] === 'by its key';
    const headers = {
      ...(parseAs === 'stream' && { accept: 'text/event-stream' }),
      ...(endUser !== undefined && { 'x-end-user': endUser }),
      ...(keyed && { 'idempotency-key': input.idempotencyKey ?? crypto.randomUUID() }),
    };
    const fetch = (request: Request) => this.#fetched(request, parseAs);
    return {
      params: { path: input.path, query },
      headers,
      parseAs,
      fetch,
      ...(body !== undefined && { body }),
    };
  }

  /** A stream may go on for as long as its events are small. */
  async #fetched(request: Request, parseAs: ParseAs): Promise<Response> {
    const reply = await (this.#options.fetch ?? fetch)(request);
    return parseAs === 'stream' && reply.ok ? reply : boundedResponse(reply, this.maxResponseBytes);
  }

  async #attempt<Data>(
    limit: CallLimit,
    { method, path }: Call,
    init: object,
  ): Promise<Answer<Data> | SaringError> {
    try {
      const { data, error, response } = await limit.within(this.#send(method, path, init));
      const { status, headers } = response;
      this.#deprecations.note(method, path, headers);
      if (!response.ok) return errorOfResponse(response, error, this.#options.baseUrl);
      return { data: data as Data, status, headers, requestId: headers.get('x-request-id') ?? undefined };
    } catch (cause) {
      limit.signal.throwIfAborted();
      if (cause instanceof SaringError) return cause;
      if (cause instanceof SyntaxError)
        return new SaringError('unexpected_answer', 'The answer of the server is not JSON.', { cause });
      return new SaringError('network_error', 'No answer came from the server.', { cause });
    }
  }
}

/** What all parts of the client have in common. */
export class Resource {
  protected readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }
}

function isRepeatable({ method, path, parseAs }: Call): boolean {
  if (parseAs === 'stream') return false;
  return method === 'get' || (method === 'post' && REPEATABLE_POSTS[path] !== undefined);
}

const FIRST_MS = 250;
const MAX_MS = 8_000;
/** Random extra wait, so that clients which were refused together do not come back together. */
const SPREAD_MS = 250;

/**
 * How long to wait before the next retry, in milliseconds: as long as the API says, plus up to SPREAD_MS.
 * Otherwise the wait doubles with each retry up to MAX_MS, and is randomised between half and the whole.
 * @param repetitions retries made so far
 * @param random in [0, 1)
 */
export function retryDelayMs(
  { retryAfterSeconds }: Pick<SaringError, 'retryAfterSeconds'>,
  repetitions: number,
  random = Math.random(),
): number {
  if (retryAfterSeconds !== undefined) return retryAfterSeconds * 1_000 + random * SPREAD_MS;
  return Math.min(FIRST_MS * 2 ** repetitions, MAX_MS) * (0.5 + random / 2);
}

/** A URL drops `.` and `..`, also when they are encoded, so the request would go to another endpoint. */
function refuseDotSegments(path: object = {}): void {
  for (const [name, value] of Object.entries(path)) {
    if (value === '.' || value === '..') throw new RangeError(`${name} must be other than . and ..`);
  }
}

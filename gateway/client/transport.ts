import createClient from 'openapi-fetch';
import type { CallOptions, InputArgument, Method, PathOf, ReplyOf, TakesKey } from './api-types.ts';
import { CallLimit } from './call-limit.ts';
import { errorOfAnswer, isPassing, SaringError } from './saring-error.ts';
import type { paths } from './gen/api.ts';

export interface ClientOptions {
  /** Root of the server, as in `https://saring.example.com`. */
  baseUrl: string;
  /** Keep it on a server: whoever has it acts as your application. */
  apiKey: string;
  /** Who the application’s user is, unless a call says otherwise: 1 to 64 of A-Z, a-z, 0-9, dot, underscore, hyphen. */
  endUser?: string;
  /** What sentences shall be in; Bahasa Indonesia when absent. */
  language?: 'id' | 'en';
  /**
   * How long a call may take, repetitions included, unless it says otherwise. Milliseconds; 90,000 when absent. Following
   * a job has five minutes, whatever is said here.
   */
  timeoutMs?: number;
  /** How often a request is repeated at most; 5 when absent. */
  retries?: number;
  /** In place of the platform’s own fetch. */
  fetch?: (request: Request) => Promise<Response>;
}

/** What a call was answered with. */
export interface Answer<Data> {
  data: Data;
  status: number;
  headers: Headers;
  /** Quote it when you ask about the request. */
  requestId: string | undefined;
}

/** Longer than a submission may be held for its result, and than the minute of the rate limit. */
const TIMEOUT_MS = 90_000;
/** Some seconds in all, in which a gateway that is started anew is back. */
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

/** Sends requests, repeats those that may well succeed a little later, and throws failures as a SaringError. */
export class Transport {
  readonly #send: Send;
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    const { baseUrl, fetch, apiKey, language } = options;
    const headers = {
      authorization: `Bearer ${apiKey}`,
      ...(language !== undefined && { 'accept-language': language }),
    };
    const client = createClient<paths>({ baseUrl: new URL(baseUrl).href, headers, ...(fetch && { fetch }) });
    this.#send = client.request as unknown as Send;
    this.#options = options;
  }

  /** What a GET of this path answers. */
  async get<P extends PathOf<'get'>>(path: P, ...input: InputArgument<'get', P>): Promise<ReplyOf<'get', P>> {
    return (await this.request('get', path, ...input)).data;
  }

  /** What a POST to this path answers. */
  async post<P extends PathOf<'post'>>(
    path: P,
    ...input: InputArgument<'post', P>
  ): Promise<ReplyOf<'post', P>> {
    return (await this.request('post', path, ...input)).data;
  }

  /** The same with the status and the headers of the answer. */
  request<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    ...[input]: InputArgument<M, P>
  ): Promise<Answer<ReplyOf<M, P>>> {
    return this.#call<ReplyOf<M, P>>({ method, path, input, parseAs: 'json' });
  }

  /** The bytes of the file that a path answers with. */
  async bytes<P extends PathOf<'get'>>(path: P, ...[input]: InputArgument<'get', P>): Promise<Uint8Array> {
    const { data } = await this.#call<ArrayBuffer>({ method: 'get', path, input, parseAs: 'arrayBuffer' });
    return new Uint8Array(data);
  }

  /** What a path answers bit by bit, for as long as the limit allows. It is asked for once: whoever follows has other ways. */
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

  /** A wait that does not fit into what is left of the limit is not begun. */
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

  /** The same for every repetition of a call. */
  #init({ method, path, input = {}, parseAs }: Call): object {
    const { query, body } = input;
    const endUser = input.endUser ?? this.#options.endUser;
    const keyed = method === 'post' && repeatableBy(path) === 'by its key';
    const headers = {
      ...(endUser !== undefined && { 'x-end-user': endUser }),
      ...(keyed && { 'idempotency-key': input.idempotencyKey ?? crypto.randomUUID() }),
    };
    return { params: { path: input.path, query }, headers, parseAs, ...(body !== undefined && { body }) };
  }

  async #attempt<Data>(
    limit: CallLimit,
    { method, path }: Call,
    init: object,
  ): Promise<Answer<Data> | SaringError> {
    try {
      const { data, error, response } = await limit.within(this.#send(method, path, init));
      const { status, headers } = response;
      if (!response.ok) return errorOfAnswer(response, error);
      return { data: data as Data, status, headers, requestId: headers.get('x-request-id') ?? undefined };
    } catch (cause) {
      limit.signal.throwIfAborted();
      if (cause instanceof SyntaxError)
        return new SaringError('unexpected_answer', 'The server answered what is no JSON.', { cause });
      return new SaringError('network_error', 'No answer came from the server.', { cause });
    }
  }
}

function isRepeatable({ method, path, parseAs }: Call): boolean {
  if (parseAs === 'stream') return false;
  return method === 'get' || repeatableBy(path) !== undefined;
}

/** Why a POST may be repeated: the server knows its key again, or it does nothing that a second one would do twice. */
const REPEATABLE: { [P in PathOf<'post'>]: TakesKey<P> extends true ? 'by its key' : 'by nature' } = {
  '/api/v1/models/{model_id}/runs': 'by its key',
  '/api/v1/consent': 'by its key',
  '/api/v1/jobs/{job_id}/cancel': 'by nature',
  '/api/v1/models/{model_id}/backfills': 'by its key',
  '/api/v1/backfills/{backfill_id}/cancel': 'by nature',
  '/api/v1/data/compare': 'by nature',
  '/api/v1/data/turning-points': 'by nature',
};

/** Nothing is known of a POST that is not listed. */
function repeatableBy(path: string): 'by its key' | 'by nature' | undefined {
  return (REPEATABLE as Partial<Record<string, 'by its key' | 'by nature'>>)[path];
}

const FIRST_MS = 250;
const MAX_MS = 8_000;
/** So that clients which were refused together do not come back together. */
const SPREAD_MS = 250;

/**
 * How long to wait before a request is repeated, in milliseconds: as long as the API says; without that, twice as long
 * each time, of which between half and the whole is waited. `repetitions` were made already; `random` is in [0, 1).
 */
export function retryDelayMs(
  { retryAfterSeconds }: Pick<SaringError, 'retryAfterSeconds'>,
  repetitions: number,
  random = Math.random(),
): number {
  if (retryAfterSeconds !== undefined) return retryAfterSeconds * 1_000 + random * SPREAD_MS;
  return Math.min(FIRST_MS * 2 ** repetitions, MAX_MS) * (0.5 + random / 2);
}

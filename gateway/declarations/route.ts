import type { TObject, TSchema } from 'typebox';
import type { Scope } from '#shared/scopes.ts';
import type { Deprecation } from '#proto/saring/wire/v1/calls.ts';
import type { ErrorCode } from '#foundation/errors/error-codes.ts';

/** Who may call: anyone, any enabled key, a key with this scope, or the operator with its token. */
export type Access = 'anybody' | 'any key' | Scope | 'the operator';

export const TAGS = [
  'System',
  'Sessions',
  'Models',
  'Runs and jobs',
  'Backfills',
  'Market data',
  'Screens',
  'Watchlists',
  'Events',
  'Webhooks',
  'Usage',
  'Admin usage',
  'Consent',
  'Operator',
] as const;

/** Methods that a route can have. GET alone changes nothing. */
type Method = 'get' | 'post' | 'put' | 'delete';

/** Where the work that a 202 response has accepted is polled, and when for the first time. */
interface Polling {
  /** As in OpenAPI. The response has the id under the name that the path gives it. */
  path: string;
  /** An earlier poll would rarely find the work done. */
  afterSeconds: number;
}

interface DeclaredResponse {
  description: string;
  schema: TSchema;
  /** Set for 202 alone. */
  polling?: Polling;
}

/**
 * What a response is made of, unless it is made of what the service keeps for the caller:
 * - `market data`: it depends only on the validated input, the dataset version and the day in Jakarta, and not on the caller. It may
 *   then be answered from memory.
 * - `dataset`: of the dataset and of what the caller has saved.
 * - `run result`: it may carry the result of a run.
 * - `results`: of several runs, each of which names its own dataset version.
 * - `explanation`: it explains a run: its verdict on one stock, or how it differs from another run.
 * - `file`: a FileResponse, which is not JSON.
 * - `event stream`: an EventStream. The schema is that of the events' data. The handler returns undefined if a reader that
 *   reconnects has received all events.
 */
export type Answers =
  | 'market data'
  | 'dataset'
  | 'run result'
  | 'results'
  | 'explanation'
  | 'file'
  | 'event stream';

export interface RouteDescription {
  method: Method;
  /** As in OpenAPI: `/api/v1/jobs/{job_id}`. */
  path: string;
  operationId: string;
  /** The method of the clients that makes this call: `watchlists.list`. Absent for a route that they do not wrap. */
  client?: string;
  /**
   * For a POST: why a client may repeat it when no response came. The server recognises its idempotency key, or doing it twice has
   * the same effect as once. `never` if it could do twice what the caller wants once.
   */
  repeatable?: 'by its key' | 'by nature' | 'never';
  tag: (typeof TAGS)[number];
  summary: string;
  /** For application developers, in Markdown. */
  description: string;
  access: Access;
  deprecated?: Deprecation;
  /** Query parameters that are deprecated, by name. */
  deprecatedQuery?: Record<string, Deprecation>;
  /** Whether X-End-User must be sent. */
  needsEndUser?: boolean;
  /** Whether Idempotency-Key may be sent. The handler then marks a response that is a replay. */
  takesIdempotencyKey?: true;
  /** Whether the work of the endpoint is charged to the budget of the key. */
  costs?: true;
  /** What the response is made of, where a header or a cache depends on it. */
  answers?: Answers;
  /** Whether the response also shows how fresh the dataset is, which changes with time and with the feed. */
  showsFreshness?: true;
  /** Set if a reader that accepts `text/event-stream` gets events at the same path. The schema is that of their data. */
  stream?: { schema: TSchema };
  /** The list of the response that `format=csv` returns alone, as CSV. */
  csvOf?: string;
  /** Whether the endpoint hands out the market row by row, which the licence of its data may forbid (`BARS_API`). */
  handsOutMarket?: true;
  /** Whether the response has sentences for display, in the language of the caller, although it is not made of runs. */
  hasSentences?: true;
  /** The error code for a malformed id in the path: nothing can have such an id. */
  unknownIdCode?: ErrorCode;
  /** What the code samples send, or how the client is called, where the examples in the schemas do not say it well. */
  sample?: { query?: Record<string, unknown>; body?: unknown; typescript?: string; python?: string };
  /** REST names of fields of the service's request, where they differ. */
  fieldNames?: Record<string, string>;
  responses: Record<number, DeclaredResponse> & { 202?: Required<DeclaredResponse> };
  /** Error codes of this route besides those that follow from its access and its inputs. */
  errors: readonly ErrorCode[];
}

export interface RouteInputs<P extends TObject, Q extends TObject, B extends TSchema> {
  params?: P;
  query?: Q;
  body?: B;
}

/** The declaration of an endpoint: everything that validation, documentation and the response cache need. */
export interface DeclaredRoute extends RouteDescription, RouteInputs<TObject, TObject, TSchema> {}

/** The credential that a request must carry: none, an API key, or the operator's token. */
export function credentialOf({ access }: DeclaredRoute): 'none' | 'key' | 'operator' {
  if (access === 'anybody') return 'none';
  return access === 'the operator' ? 'operator' : 'key';
}

/** Whether the response is JSON: no file, and no stream without an alternative. */
export function isJson({ answers }: DeclaredRoute): boolean {
  return answers !== 'file' && answers !== 'event stream';
}

/** Whether some responses are event streams. */
export function canStream({ answers, stream }: DeclaredRoute): boolean {
  return answers === 'event stream' || stream !== undefined;
}

/** Whether the response comes from a dataset alone, whose version and freshness it names. */
export function isMarketData({ answers }: DeclaredRoute): boolean {
  return answers === 'market data';
}

/** Whether a header of the 200 answer names its dataset version. For a job, the header is sent only with a result. */
export function namesDataset({ answers }: DeclaredRoute): boolean {
  return isAmong(answers, ['market data', 'dataset', 'run result', 'explanation', 'file']);
}

/** Whether the response is in the language that Accept-Language asks for. */
export function isInLanguages({ answers, hasSentences }: DeclaredRoute): boolean {
  return hasSentences === true || isAmong(answers, ['run result', 'results', 'explanation']);
}

/** Whether a client that has the response already gets 304. */
export function isConditional({ answers, csvOf, method }: DeclaredRoute): boolean {
  return (isAmong(answers, ['market data', 'file']) || csvOf !== undefined) && method === 'get';
}

function isAmong(answers: Answers | undefined, some: Answers[]): boolean {
  return answers !== undefined && some.includes(answers);
}

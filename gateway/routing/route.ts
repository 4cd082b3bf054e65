import type { TObject, TSchema } from 'typebox';
import type { Scope } from '#shared/scopes.ts';
import type { ErrorCode } from '#shared/error-codes.ts';

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
export type Method = 'get' | 'post' | 'put' | 'delete';

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

/** That an endpoint or a parameter is going to be removed. Callers are told in headers and in the OpenAPI document. */
export interface Deprecation {
  /** Day in Jakarta as YYYY-MM-DD. */
  since: string;
  /** Day in Jakarta, as YYYY-MM-DD, from which it may be gone. */
  sunset?: string;
  /** A sentence in Markdown: what to use instead. */
  instead: string;
}

export interface RouteDescription {
  method: Method;
  /** As in OpenAPI: `/api/v1/jobs/{job_id}`. */
  path: string;
  operationId: string;
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
  /**
   * Set if the response depends only on the validated input, the dataset version and the day in Jakarta, and not on the
   * caller. It may then be answered from memory.
   */
  rests?: 'on the dataset';
  /** Whether such a response also shows how fresh the dataset is, which changes with time and with the feed. */
  showsFreshness?: true;
  /**
   * Set if the response is not JSON: a FileResponse, or an EventStream. The schema of an EventStream is that of the
   * events' data. The handler returns undefined if a reader that reconnects has received all events.
   */
  answers?: 'a file' | 'an event stream';
  /** Set if a reader that accepts `text/event-stream` gets events at the same path. The schema is that of their data. */
  stream?: { schema: TSchema };
  /** The list of the response that `format=csv` returns alone, as CSV. */
  csvOf?: string;
  /** Whether the 200 answer may carry the result of a run. */
  carriesResult?: true;
  /** Whether the response explains a run: its verdict on one stock, or how it differs from another run. */
  explains?: true;
  /** Whether the response has other sentences for display, in the language of the caller. */
  hasSentences?: true;
  /** Whether the response comes from the dataset and from what the caller has saved. It names its dataset version. */
  comesFromDataset?: true;
  /** Whether the response has results of several runs. Each names its own dataset version. */
  carriesResults?: true;
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

/** Whether some responses are event streams. */
export function canStream({ answers, stream }: DeclaredRoute): boolean {
  return answers === 'an event stream' || stream !== undefined;
}

/** Whether the response comes from a dataset, whose version it names. The scope covers exactly those endpoints. */
export function isMarketData({ access }: DeclaredRoute): boolean {
  return access === 'data:read';
}

/** Whether a header of the 200 answer names its dataset version. For a job, the header is sent only with a result. */
export function namesDataset(route: DeclaredRoute): boolean {
  const { answers: responses, carriesResult, explains, comesFromDataset } = route;
  return (
    isMarketData(route) ||
    responses === 'a file' ||
    [carriesResult, explains, comesFromDataset].includes(true)
  );
}

/** Whether the response is in the language that Accept-Language asks for. */
export function isInLanguages(route: DeclaredRoute): boolean {
  const { carriesResult, carriesResults, explains, hasSentences } = route;
  return [carriesResult, carriesResults, explains, hasSentences].includes(true);
}

/** Whether a client that has the response already gets 304. */
export function isConditional(route: DeclaredRoute): boolean {
  const isLarge = route.answers === 'a file' || route.csvOf !== undefined;
  return (isMarketData(route) || isLarge) && route.method === 'get';
}

import type { TObject, TSchema } from 'typebox';
import type { Scope } from '#shared/scopes.ts';
import type { ErrorCode } from '#shared/service-error.ts';

/** Who may call: anybody, any enabled key, a key with this scope, or the operator by its token. */
export type Access = 'anybody' | 'any key' | Scope | 'the operator';

export const TAGS = [
  'System',
  'Models',
  'Runs and jobs',
  'Backfills',
  'Market data',
  'Usage',
  'Admin usage',
  'Consent',
  'Operator',
] as const;

export interface RouteDescription {
  method: 'get' | 'post';
  /** As in OpenAPI: `/api/v1/jobs/{job_id}`. */
  path: string;
  operationId: string;
  tag: (typeof TAGS)[number];
  summary: string;
  /** For application developers, in Markdown. */
  description: string;
  access: Access;
  /** Whether X-End-User must be sent. */
  needsEndUser?: boolean;
  /** Whether Idempotency-Key may be sent. The handler then says of an answer whether it is a replay. */
  takesIdempotencyKey?: true;
  /**
   * Whether the answer depends on the validated input, the dataset version and the day in Jakarta alone, and not on who
   * asks: it may then be given again from memory.
   */
  rests?: 'on the dataset';
  /**
   * What it answers when that is no JSON: a FileAnswer, or an EventStream, whose schema is that of the events' data, or
   * undefined where a reader that comes again has had all events.
   */
  answers?: 'a file' | 'an event stream';
  /** Whether its 200 may carry the result of a run. */
  carriesResult?: true;
  /** Whether it answers what a run made of one name. */
  explains?: true;
  /** Whether it answers other sentences for display, in the language of the caller. */
  hasSentences?: true;
  /** Whether it answers results of several runs, each of which names its dataset version itself. */
  carriesResults?: true;
  /** What a path id that is not well-formed is answered with: it names nothing. */
  unknownIdCode?: ErrorCode;
  /** Names of fields of the service's request that this route calls otherwise. */
  fieldNames?: Record<string, string>;
  responses: Record<number, { description: string; schema: TSchema }>;
  /** What this route can fail with beyond what its access and its inputs imply. */
  errors: readonly ErrorCode[];
}

export interface RouteInputs<P extends TObject, Q extends TObject, B extends TSchema> {
  params?: P;
  query?: Q;
  body?: B;
}

/** What an endpoint takes and answers: all that validation, documentation and the response cache need of it. */
export interface DeclaredRoute extends RouteDescription, RouteInputs<TObject, TObject, TSchema> {}

/** What a request of it must carry: nothing, an API key, or the operator's token. */
export function credentialOf({ access }: DeclaredRoute): 'none' | 'key' | 'operator' {
  if (access === 'anybody') return 'none';
  return access === 'the operator' ? 'operator' : 'key';
}

/** Whether it answers from a dataset, whose version the answer names. The scope covers exactly those endpoints. */
export function isMarketData({ access }: DeclaredRoute): boolean {
  return access === 'data:read';
}

/** Whether its 200 names the dataset version it rests on in a header; that of a job does with a result alone. */
export function namesDataset(route: DeclaredRoute): boolean {
  const { answers, carriesResult, explains } = route;
  return isMarketData(route) || answers === 'a file' || carriesResult === true || explains === true;
}

/** Whether it answers in the language that Accept-Language asks for. */
export function isInLanguages(route: DeclaredRoute): boolean {
  const { carriesResult, carriesResults, explains, hasSentences } = route;
  return [carriesResult, carriesResults, explains, hasSentences].includes(true);
}

/** Whether it answers 304 to a client that has the answer already. */
export function isConditional(route: DeclaredRoute): boolean {
  return (isMarketData(route) || route.answers === 'a file') && route.method === 'get';
}

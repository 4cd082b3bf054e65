import type { components, paths } from '../gen/api.ts';

/** The schemas of the API’s OpenAPI document, in the forms that the client needs. */
export type Schemas = components['schemas'];

export type Method = 'get' | 'post' | 'put' | 'delete';

/** The paths that have this method, written as in the reference: `/api/v1/jobs/{job_id}`. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, { responses: object }> ? P : never;
}[keyof paths];

type Operation<M extends Method, P extends PathOf<M>> = NonNullable<paths[P][M]>;

type ParametersIn<O, Where extends string> = O extends { parameters: { [K in Where]?: infer Given } }
  ? NonNullable<Given>
  : never;

/** Query parameters of an endpoint. */
export type QueryOf<M extends Method, P extends PathOf<M>> = ParametersIn<Operation<M, P>, 'query'>;

/** The parameters in the braces of a path. */
type PathParamsOf<M extends Method, P extends PathOf<M>> = ParametersIn<Operation<M, P>, 'path'>;

/** The JSON body of an endpoint’s request. */
export type BodyOf<M extends Method, P extends PathOf<M>> =
  Operation<M, P> extends { requestBody?: infer Taken }
    ? NonNullable<Taken> extends { content: { 'application/json': infer Body } }
      ? Body
      : never
    : never;

type Content<O> = O extends { responses: infer Answers }
  ? { [Status in keyof Answers & (200 | 201 | 202)]: Answers[Status] }[keyof Answers & (200 | 201 | 202)]
  : never;

/** The JSON body of an endpoint’s answer. */
export type ReplyOf<M extends Method, P extends PathOf<M>> =
  Content<Operation<M, P>> extends { content: { 'application/json': infer Reply } } ? Reply : never;

/** Options of every call, in addition to the inputs of the endpoint. */
export interface CallOptions {
  /** Ends the call immediately when aborted. The call then rejects with the signal’s reason, as fetch does. */
  signal?: AbortSignal;
  /** How long the call may take, retries included. Milliseconds. */
  timeoutMs?: number;
  /** Id of the application’s user. Replaces the client’s own `endUser`. */
  endUser?: string;
  /** Replaces the key that the client generates. Set your own to repeat a submission after a restart of your program. */
  idempotencyKey?: string;
}

/** A member of the input: absent if the endpoint takes nothing there, optional if nothing in it is required. */
type Part<Name extends string, Given> = [Given] extends [never]
  ? { [K in Name]?: never }
  : object extends Given
    ? { [K in Name]?: Given }
    : { [K in Name]: Given };

/** The input of a call to an endpoint. */
type CallInput<M extends Method, P extends PathOf<M>> = CallOptions &
  Part<'path', PathParamsOf<M, P>> &
  Part<'query', QueryOf<M, P>> &
  Part<'body', BodyOf<M, P>>;

/** The input as an argument, which is optional if nothing in it is required. */
export type InputArgument<M extends Method, P extends PathOf<M>> =
  object extends CallInput<M, P> ? [input?: CallInput<M, P>] : [input: CallInput<M, P>];

export type Job = Schemas['Job'];
type RunResult = Exclude<NonNullable<Job['result']>, { model_id: 'portfolio_simulation' }>;

/** Ids of the published models. `AnyModelId` also allows a model that this client does not know yet. */
export type ModelId = RunResult['model_id'];
export type AnyModelId = ModelId | (string & {});

/** The views of a model. */
export type ViewOf<M extends AnyModelId> = [M] extends [ModelId]
  ? Extract<RunResult, { model_id: M }>['view']
  : RunResult['view'];

/** The result of a run of this model in this view. */
export type ResultOf<M extends AnyModelId, V extends string> = [M] extends [ModelId]
  ? Extract<RunResult, { model_id: M; view: V }>
  : RunResult;

/** A run in any state. */
export type JobOf<M extends AnyModelId, V extends string> = Omit<Job, 'result'> & { result?: ResultOf<M, V> };

/** A run that has ended. `status` and `result_available` say which other members it has. */
export type FinishedJob<M extends AnyModelId = ModelId, V extends string = ViewOf<M>> = Omit<
  Job,
  'status' | 'result_available' | 'result' | 'error'
> &
  (
    | { status: 'succeeded'; result_available: true; result: ResultOf<M, V>; error?: never }
    | { status: 'succeeded'; result_available: false; result?: never; error?: never }
    | {
        status: 'failed' | 'interrupted';
        result_available: false;
        result?: never;
        error: NonNullable<Job['error']>;
      }
  );

export function isFinished(job: Pick<Job, 'status'>): boolean {
  return job.status !== 'queued' && job.status !== 'running';
}

import type { components, paths } from './gen/api.ts';

/** What the API’s own document says, in the forms that the client needs. */
export type Schemas = components['schemas'];

export type Method = 'get' | 'post';

/** The paths that have this method, as the reference writes them: `/api/v1/jobs/{job_id}`. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, { responses: object }> ? P : never;
}[keyof paths];

type Operation<M extends Method, P extends PathOf<M>> = NonNullable<paths[P][M]>;

type ParametersIn<O, Where extends string> = O extends { parameters: { [K in Where]?: infer Given } }
  ? NonNullable<Given>
  : never;

/** Query parameters of an endpoint. */
export type QueryOf<M extends Method, P extends PathOf<M>> = ParametersIn<Operation<M, P>, 'query'>;

/** What a path takes in its braces. */
type PathParamsOf<M extends Method, P extends PathOf<M>> = ParametersIn<Operation<M, P>, 'path'>;

/** The JSON body that an endpoint takes. */
export type BodyOf<M extends Method, P extends PathOf<M>> =
  Operation<M, P> extends { requestBody?: infer Taken }
    ? NonNullable<Taken> extends { content: { 'application/json': infer Body } }
      ? Body
      : never
    : never;

/** Whether the document lets this endpoint take an Idempotency-Key. */
export type TakesKey<P extends PathOf<'post'>> = [ParametersIn<Operation<'post', P>, 'header'>] extends [
  never,
]
  ? false
  : 'Idempotency-Key' extends keyof ParametersIn<Operation<'post', P>, 'header'>
    ? true
    : false;

type Content<O> = O extends { responses: infer Answers }
  ? { [Status in keyof Answers & (200 | 201 | 202)]: Answers[Status] }[keyof Answers & (200 | 201 | 202)]
  : never;

/** The JSON that an endpoint answers with. */
export type ReplyOf<M extends Method, P extends PathOf<M>> =
  Content<Operation<M, P>> extends { content: { 'application/json': infer Reply } } ? Reply : never;

/** What every call takes besides what the endpoint itself takes. */
export interface CallOptions {
  /** Ends the call at once, which then rejects with the signal’s reason, as fetch does. */
  signal?: AbortSignal;
  /** How long the call may take, repetitions included. Milliseconds. */
  timeoutMs?: number;
  /** Who the application’s user is, in place of the client’s own `endUser`. */
  endUser?: string;
  /** In place of one that the client makes: give your own to repeat a submission after a restart of your program. */
  idempotencyKey?: string;
}

/** A member that is left out when there is nothing to give, and optional when nothing of it must be given. */
type Part<Name extends string, Given> = [Given] extends [never]
  ? { [K in Name]?: never }
  : object extends Given
    ? { [K in Name]?: Given }
    : { [K in Name]: Given };

/** What a call of an endpoint is given. */
type CallInput<M extends Method, P extends PathOf<M>> = CallOptions &
  Part<'path', PathParamsOf<M, P>> &
  Part<'query', QueryOf<M, P>> &
  Part<'body', BodyOf<M, P>>;

/** The input, which may be left out where nothing must be given. */
export type InputArgument<M extends Method, P extends PathOf<M>> =
  object extends CallInput<M, P> ? [input?: CallInput<M, P>] : [input: CallInput<M, P>];

export type Job = Schemas['Job'];
type RunResult = NonNullable<Job['result']>;

/** Ids of the published models. A model that this client does not know yet may be named all the same. */
export type ModelId = RunResult['model_id'];
export type AnyModelId = ModelId | (string & {});

/** The views that a model has. */
export type ViewOf<M extends AnyModelId> = [M] extends [ModelId]
  ? Extract<RunResult, { model_id: M }>['view']
  : RunResult['view'];

/** What a run of this model comes to in this view. */
export type ResultOf<M extends AnyModelId, V extends string> = [M] extends [ModelId]
  ? Extract<RunResult, { model_id: M; view: V }>
  : RunResult;

/** A run as it stands. */
export type JobOf<M extends AnyModelId, V extends string> = Omit<Job, 'result'> & { result?: ResultOf<M, V> };

/** A run that has ended; `status` and `result_available` say what else there is. */
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

import type { Schemas } from './api-types.ts';

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

import { CallLimit } from './transport/call-limit.ts';
import { finishedJob } from './following/follow-job.ts';
import type { AnyModelId, FinishedJob, ResultOf, ViewOf } from './transport/api-types.ts';
import { RUN_TIMEOUT_MS, Runs, type RunInput } from './resources.ts';
import { SaringError } from './transport/saring-error.ts';
import type { Transport } from './transport/transport.ts';

/** Most runs end within this time. It is short enough for proxies, which cut connections that are silent for long. */
const HOLD_SECONDS = 30;

export type RunAndWaitInput<View extends string> = Omit<RunInput<View>, 'wait'>;

/** Submits a run and follows it to its end. */
export async function runAndWait<M extends AnyModelId, V extends ViewOf<M>>(
  transport: Transport,
  model: M,
  input: RunAndWaitInput<V>,
): Promise<FinishedJob<M, V>> {
  const { timeoutMs = RUN_TIMEOUT_MS, signal, ...run } = input;
  const limit = new CallLimit(timeoutMs, signal);
  let jobId: string | undefined;
  try {
    const wait = Math.min(HOLD_SECONDS, Math.floor(timeoutMs / 1_000));
    const accepted = await new Runs(transport).submit<M, V>(model, { ...run, wait, ...limit.asOptions });
    jobId = accepted.job_id;
    return (await finishedJob(transport, jobId, limit, accepted)) as FinishedJob<M, V>;
  } catch (failure) {
    throw failure instanceof SaringError ? failure.ofJob(jobId) : failure;
  } finally {
    limit.close();
  }
}

/** Returns the result of a run that succeeded, and throws the failure of any other as an error. */
export function resultOf<M extends AnyModelId, V extends string>(job: FinishedJob<M, V>): ResultOf<M, V> {
  if (job.result_available) return job.result;
  const { job_id: jobId, error } = job;
  if (!error)
    throw new SaringError('result_unavailable', 'The result is no longer kept; read `summary`.', { jobId });
  throw new SaringError(`run_${job.status}`, error.message, { jobId });
}

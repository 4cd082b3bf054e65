import type { AnyModelId, Job } from '#client/index.ts';
import { client } from './session.ts';

interface RunToFollow {
  params: Record<string, unknown>;
  view: 'full' | 'compact';
  /** Called with the job when it is accepted, and at every change of its status. */
  onJob: (job: Job) => void;
  signal: AbortSignal;
}

/** Runs a model and follows it by its events until it ends. Returns the job id. */
export async function runLive(
  model: AnyModelId,
  { params, view, onJob, signal }: RunToFollow,
): Promise<string> {
  const { runs } = client.peek();
  const accepted = await runs.submit<AnyModelId, 'full' | 'compact'>(model, { params, view, signal });
  onJob(accepted);
  await followLive(accepted.job_id, { onJob, signal });
  return accepted.job_id;
}

/** Follows a job by its events until it ends. */
export async function followLive(
  jobId: string,
  { onJob, signal }: Pick<RunToFollow, 'onJob' | 'signal'>,
): Promise<void> {
  for await (const job of client.peek().jobs.follow(jobId, { signal })) onJob(job);
}

export function isUnderWay(job: Job): job is Job & { status: 'queued' | 'running' } {
  return job.status === 'queued' || job.status === 'running';
}

/** A job as the API returns it now, in the language of the page, with the dataset version of its result. */
export interface AnsweredJob {
  job: Job;
  datasetVersion: string | undefined;
}

export async function answeredJob(jobId: string, signal: AbortSignal): Promise<AnsweredJob> {
  const { data, headers } = await client.value.rest.request('get', '/api/v1/jobs/{job_id}', {
    path: { job_id: jobId },
    signal,
  });
  return { job: data, datasetVersion: headers.get('x-dataset-version') ?? undefined };
}

import type { Job } from '#client/index.ts';
import { client } from './session.ts';

/** Follows a job by its events until it ends. `onJob` is told of it at every change of its status. */
export async function followLive(
  jobId: string,
  { onJob, signal }: { onJob: (job: Job) => void; signal: AbortSignal },
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

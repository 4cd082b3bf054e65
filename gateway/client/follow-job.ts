import type { CallLimit } from './call-limit.ts';
import { isPassing } from './failed-answers.ts';
import { jobEvents } from './job-events.ts';
import { isFinished, type FinishedJob, type Job } from './job-types.ts';
import { SaringError } from './saring-error.ts';
import type { Transport } from './transport.ts';

export interface Pace {
  pollEveryMs: number;
  /** Events that are more silent are held back on their way, or dead. */
  silenceMs: number;
}

/** Polling more often gives no benefit and costs rate-limit budget; the server says something at least every 15 s. */
const PACE: Pace = { pollEveryMs: 2_000, silenceMs: 35_000 };

/**
 * A job as it stands and at every change of its status, to its end: by the server’s events, and by polling wherever
 * they break off or cannot be had. Only the limit, or an answer that will not change, ends it sooner.
 */
export async function* followJob(
  transport: Transport,
  jobId: string,
  limit: CallLimit,
  pace = PACE,
): AsyncGenerator<Job> {
  let told: Job['status'] | undefined;
  for await (const job of sightings(transport, jobId, limit, pace)) {
    if (job.status !== told) yield job;
    if (isFinished(job)) return;
    told = job.status;
  }
}

/** The job at its end. An answer that tells of a result without carrying it is followed by the question for it. */
export async function finishedJob(
  transport: Transport,
  jobId: string,
  limit: CallLimit,
  seen?: Job,
): Promise<FinishedJob> {
  let last = seen;
  if (!last || !isFinished(last)) for await (const job of followJob(transport, jobId, limit)) last = job;
  if (last?.result_available === true && last.result === undefined) {
    last = await transport.get('/api/v1/jobs/{job_id}', { path: { job_id: jobId }, signal: limit.signal });
  }
  return last as FinishedJob;
}

/** What is seen of a job, over and over. */
async function* sightings(
  transport: Transport,
  jobId: string,
  limit: CallLimit,
  { pollEveryMs, silenceMs }: Pace,
): AsyncGenerator<Job> {
  let hasEvents = true;
  for (;;) {
    try {
      if (hasEvents) yield* jobEvents(transport, jobId, limit, silenceMs);
    } catch (failure) {
      limit.signal.throwIfAborted();
      hasEvents = !(failure instanceof SaringError) || isPassing(failure);
    }
    try {
      const path = { job_id: jobId };
      yield await transport.get('/api/v1/jobs/{job_id}', { path, signal: limit.signal });
    } catch (failure) {
      if (!(failure instanceof SaringError && isPassing(failure))) throw failure;
    }
    await limit.sleep(pollEveryMs);
  }
}

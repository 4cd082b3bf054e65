import type { CallLimit } from '../transport/call-limit.ts';
import { isPassing, SaringError } from '../transport/saring-error.ts';
import { isFinished, type FinishedJob, type Job } from '../transport/api-types.ts';
import { SERVER_SILENCE_MS, serverEvents } from './server-events.ts';
import type { Transport } from '../transport/transport.ts';

export interface Pace {
  pollEveryMs: number;
  /** A stream that is silent for longer is dead, or a proxy holds its events back. */
  silenceMs: number;
}

/** About ten seconds. A key’s places for streams become free as other jobs end. */
const POLLS_AFTER_REFUSAL = 5;

/** Polling more often has no benefit and costs rate-limit budget. */
const PACE: Pace = { pollEveryMs: 2_000, silenceMs: SERVER_SILENCE_MS };

/**
 * Yields a job as it is now and at every change of its status, until it ends. Uses the server’s events, and polls
 * while they break off or are not available. Only the limit, or an error that a retry will not solve, ends it sooner.
 */
export async function* followJob(
  transport: Transport,
  jobId: string,
  limit: CallLimit,
  pace = PACE,
): AsyncGenerator<Job> {
  let yielded: Job['status'] | undefined;
  for await (const job of sightings(transport, jobId, limit, pace)) {
    if (job.status !== yielded) yield job;
    if (isFinished(job)) return;
    yielded = job.status;
  }
}

/** Resolves to the job once it has ended. Fetches the job again if it announces a result without carrying it. */
export async function finishedJob(
  transport: Transport,
  jobId: string,
  limit: CallLimit,
  seen?: Job,
): Promise<FinishedJob> {
  let last = seen;
  if (!last || !isFinished(last)) for await (const job of followJob(transport, jobId, limit)) last = job;
  if (last?.result_available === true && last.result === undefined) {
    last = await transport.get('/api/v1/jobs/{job_id}', { path: { job_id: jobId }, ...limit.asOptions });
  }
  return last as FinishedJob;
}

/** Yields every observation of a job, with repetitions. */
async function* sightings(
  transport: Transport,
  jobId: string,
  limit: CallLimit,
  { pollEveryMs, silenceMs }: Pace,
): AsyncGenerator<Job> {
  let pollsBeforeEvents = 0;
  for (;;) {
    try {
      if (pollsBeforeEvents <= 0) yield* jobEvents(transport, jobId, limit, silenceMs);
    } catch (failure) {
      limit.signal.throwIfAborted();
      pollsBeforeEvents = pollsAfter(failure);
    }
    try {
      yield await transport.get('/api/v1/jobs/{job_id}', { path: { job_id: jobId }, ...limit.asOptions });
    } catch (failure) {
      if (!(failure instanceof SaringError && isPassing(failure))) throw failure;
    }
    pollsBeforeEvents--;
    await limit.sleep(pollEveryMs);
  }
}

/** How many polls to make before the next request for events. After a stream that merely broke off, one is enough. */
function pollsAfter(failure: unknown): number {
  if (!(failure instanceof SaringError)) return 1;
  return isPassing(failure) ? POLLS_AFTER_REFUSAL : Infinity;
}

/** Yields the states of a job as the server sends them, until it ends the stream. Fails as {@link serverEvents}. */
async function* jobEvents(
  transport: Transport,
  jobId: string,
  limit: CallLimit,
  silenceMs: number,
): AsyncGenerator<Job> {
  const path = { job_id: jobId };
  for await (const { data } of serverEvents(
    transport,
    '/api/v1/jobs/{job_id}/events',
    { path },
    limit,
    silenceMs,
  ))
    if (data !== undefined) yield JSON.parse(data) as Job;
}

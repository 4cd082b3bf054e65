import type { CallLimit } from './call-limit.ts';
import { isPassing, SaringError } from './saring-error.ts';
import { isFinished, type FinishedJob, type Job } from './api-types.ts';
import type { Transport } from './transport.ts';
import { createParser } from 'eventsource-parser';

export interface Pace {
  pollEveryMs: number;
  /** Events that are more silent are held back on their way, or dead. */
  silenceMs: number;
}

/** Some ten seconds: places among the streams of a key become free as other jobs end. */
const POLLS_AFTER_REFUSAL = 5;

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
  let yielded: Job['status'] | undefined;
  for await (const job of sightings(transport, jobId, limit, pace)) {
    if (job.status !== yielded) yield job;
    if (isFinished(job)) return;
    yielded = job.status;
  }
}

/** The job at its end. An answer that announces a result without carrying it is followed by a request for it. */
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

/** What is seen of a job, over and over. */
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

/** How often to poll before events are asked for again. Those that merely broke off are, at once. */
function pollsAfter(failure: unknown): number {
  if (!(failure instanceof SaringError)) return 1;
  return isPassing(failure) ? POLLS_AFTER_REFUSAL : Infinity;
}

/** The states of a job as the server sends them, until it ends the stream; fails when there is none, or a silent one. */
async function* jobEvents(
  transport: Transport,
  jobId: string,
  limit: CallLimit,
  silenceMs: number,
): AsyncGenerator<Job> {
  const path = { job_id: jobId };
  const { body, contentType } = await transport.stream('/api/v1/jobs/{job_id}/events', { path }, limit);
  const reader = body.getReader();
  try {
    if (!contentType.startsWith('text/event-stream'))
      throw new SaringError('unexpected_answer', `No event stream, but ${contentType}.`);
    const decoder = new TextDecoder();
    let arrived: Job[] = [];
    const parser = createParser({ onEvent: ({ data }) => arrived.push(JSON.parse(data) as Job) });
    for (;;) {
      const { done, value } = await limit.within(notSilent(reader.read(), silenceMs));
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* arrived;
      arrived = [];
    }
  } finally {
    // A stream that broke off rejects this with what has been thrown already; one that others read too is not waited for.
    void reader.cancel().catch(() => undefined);
  }
}

async function notSilent<Read>(read: Promise<Read>, silenceMs: number): Promise<Read> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    const failure = new SaringError('unexpected_answer', `Nothing came for ${silenceMs} ms.`);
    timer = setTimeout(() => reject(failure), silenceMs);
  });
  return Promise.race([read, silence]).finally(() => clearTimeout(timer));
}

import { setTimeout as sleep } from 'node:timers/promises';
import { FINAL, type JobBody } from '#support/rest/jobs.ts';
import { readEvents, type ReadEvents } from '#support/rest/event-reader.ts';
import { pause, type Activity, type Actor } from '../actor.ts';
import { PATIENCE_MS, type Reply } from '../load-client.ts';
import { anySubmission, isAccepted, learningSubmission, send, submit, withKey } from './submit.ts';

const MAX_POLLS = 6;
const POLL_EVERY_MS = [1_000, 2_000] as const;
/** Sometimes shorter than the time in the queue. */
const MAX_WAIT_SECONDS = 6;

const aboutJob = (jobId: string) => `/api/v1/jobs/${jobId}`;

export const submitAndPoll: Activity = async (actor) => {
  const job = await submit(actor, anySubmission(actor));
  if (job) await poll(actor, job.job_id);
};

export const submitAndWait: Activity = async (actor) => {
  const waitSeconds = 1 + actor.random.below(MAX_WAIT_SECONDS);
  const job = await submit(actor, { ...anySubmission(actor), waitSeconds });
  if (job && !FINAL.includes(job.status)) await poll(actor, job.job_id);
};

/** Sends the same submission twice in parallel and again after it was accepted. All three must lead to one run. */
export const submitRepeatedly: Activity = async (actor) => {
  const { client, accepted } = actor;
  const submission = withKey(anySubmission(actor));
  const [twin, job] = await Promise.all([send(actor, submission), submit(actor, submission)]);
  if (!job) return;
  await pause(actor, 0, 1_000);
  for (const reply of [twin, await send(actor, submission)].filter(isAccepted)) {
    accepted.repetitions++;
    if (reply.body.job_id === job.job_id) continue;
    client.tally.breach('a repetition began a run of its own', `${job.job_id} and ${reply.body.job_id}`);
  }
};

export const submitAndFollow: Activity = async (actor) => {
  const job = await submit(
    actor,
    actor.random.chance(0.2) ? learningSubmission(actor) : anySubmission(actor),
  );
  if (job) await followEvents(actor, job.job_id);
};

export const submitAndCancel: Activity = async (actor) => {
  const { random } = actor;
  const job = await submit(actor, random.chance(0.3) ? learningSubmission(actor) : anySubmission(actor));
  if (!job) return;
  await pause(actor, 0, 300);
  await cancel(actor, job.job_id);
  await poll(actor, job.job_id);
};

/** The response is 200 when the run has ended and 202 while its worker has not noticed. */
export async function cancel({ client, app, accepted }: Actor, jobId: string): Promise<Reply<JobBody>> {
  const reply = await client.ask<JobBody>({
    kind: 'job, cancelled',
    method: 'POST',
    path: `${aboutJob(jobId)}/cancel`,
    app,
    expected: ['200', '202'],
    unavailable: 'model_unavailable',
  });
  if (isAccepted(reply)) accepted.cancelled.add(jobId);
  return reply;
}

export const listJobs: Activity = async ({ client, app }) => {
  const path = '/api/v1/jobs?limit=50';
  await client.ask({ kind: 'jobs, listed', path, app, expected: ['200'], unavailable: 'model_unavailable' });
};

/** Polls until the job is final, but only for a while, because some users close the page. */
async function poll(actor: Actor, jobId: string): Promise<void> {
  const { client, app, over } = actor;
  for (let polls = 0; polls < MAX_POLLS && !over.aborted; polls++) {
    await pause(actor, ...POLL_EVERY_MS);
    const path = aboutJob(jobId);
    const requested = {
      kind: 'job, polled',
      path,
      app,
      expected: ['200'],
      unavailable: 'model_unavailable',
    } as const;
    const { status, body } = await client.ask<JobBody>(requested);
    if (status === 200 && FINAL.includes(body.status)) return;
  }
}

const KIND = 'job, followed by events';
/** Some users close the page. */
const MAX_POLL_MS = 20_000;
/** The order of a run's states; some may be skipped. */
const ORDER = ['queued', 'running', 'succeeded failed interrupted'];

/** Holds a stream open until it ends, the user leaves, or the load is over. */
async function followEvents(actor: Actor, jobId: string): Promise<void> {
  const { client, app, random, over } = actor;
  const { tally } = client;
  const path = `/api/v1/jobs/${jobId}/events`;
  const begun = performance.now();
  const count = (outcome: string) => tally.count({ kind: KIND, outcome, ms: performance.now() - begun });
  const stream = await Promise.race([
    readEvents(client.nextBaseUrl() + path, app).catch(() => undefined),
    sleep(PATIENCE_MS, undefined, { ref: false }),
  ]);
  if (stream?.status !== 200) {
    const outcome = String(stream?.status ?? 'no answer');
    count(outcome);
    // A stream has no body with a code, so 503 is the only status that may mean that a service is unavailable.
    if (outcome !== '503' && !(outcome === '429' && app.isLimited)) tally.breach(`${KIND}: ${outcome}`, path);
    return;
  }
  count('200');
  const seen = new AbortController();
  const enough = AbortSignal.any([over, seen.signal]);
  const left = sleep(random.between(1_000, MAX_POLL_MS), undefined, { signal: enough }).catch(() => {});
  const end = await Promise.race([
    stream.ended.then(
      () => 'ended' as const,
      () => 'broke' as const,
    ),
    left.then(() => 'left' as const),
  ]);
  seen.abort();
  stream.leave();
  if (end === 'broke') tally.breach(`${KIND}: the stream broke`, path);
  else if (!isInOrder(stream, end))
    tally.breach(`${KIND}: ${end}, out of order`, `${path}: ${reported(stream).join(', ')}`);
}

function reported({ events }: ReadEvents): string[] {
  return events.map(({ id }) => id ?? '');
}

/** Checks that states only move forward, and that a stream that ended did so in a final state. */
function isInOrder(stream: ReadEvents, end: 'ended' | 'left'): boolean {
  const states = reported(stream);
  const steps = states.map((state) => ORDER.findIndex((names) => names.split(' ').includes(state)));
  const isAscending = steps.every((step, i) => step > (steps[i - 1] ?? -1));
  return isAscending && (end === 'left' || FINAL.includes(states.at(-1) ?? ''));
}

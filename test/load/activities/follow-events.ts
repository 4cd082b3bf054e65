import { setTimeout as sleep } from 'node:timers/promises';
import { readEvents, type ReadEvents } from '#support/fleets/event-reader.ts';
import { FINAL } from '#support/fleets/jobs.ts';
import type { Actor } from '../actor.ts';
import { PATIENCE_MS } from '../load-client.ts';

const KIND = 'job, followed by events';
/** Some users close the page. */
const MAX_LOOK_MS = 20_000;
/** In which a run passes through its states; some may be left out. */
const ORDER = ['queued', 'running', 'succeeded failed interrupted'];

/** Holds a stream open until it ends, the user leaves, or the load is over. */
export async function followEvents(actor: Actor, jobId: string): Promise<void> {
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
    // A stream has no code that separates a service that is away from anything else; 503 is the only such status it may have.
    if (outcome !== '503' && !(outcome === '429' && app.isLimited)) tally.breach(`${KIND}: ${outcome}`, path);
    return;
  }
  count('200');
  const seen = new AbortController();
  const enough = AbortSignal.any([over, seen.signal]);
  const left = sleep(random.between(1_000, MAX_LOOK_MS), undefined, { signal: enough }).catch(() => {});
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

/** Each state later than the one before, and a stream that ended by itself in a final one. */
function isInOrder(stream: ReadEvents, end: 'ended' | 'left'): boolean {
  const states = reported(stream);
  const steps = states.map((state) => ORDER.findIndex((names) => names.split(' ').includes(state)));
  const isAscending = steps.every((step, i) => step > (steps[i - 1] ?? -1));
  return isAscending && (end === 'left' || FINAL.includes(states.at(-1) ?? ''));
}

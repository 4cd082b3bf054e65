import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Job } from '#proto/saring/models/v1/runs.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import type { ClientCall } from '../request/client-call.ts';
import type { Services } from '../backend/services.ts';
import { followRun } from './follow-run.ts';

const QUICK = { watchMs: 60_000, pauseMs: 5, giveUpMs: 60_000 };
const IMPATIENT = { ...QUICK, giveUpMs: 300 };
const jobIn = (status: string) => ({ job_id: 'job_1', status }) as Job;
const unavailable = () => new ServiceError('model_unavailable', 'unavailable');

/** Follows a queued run. Each watch reports one of these lists of states; the last list repeats. */
async function statusesFrom(watches: (string | Error)[][], times = QUICK) {
  const stopping = new AbortController();
  let begun = 0;
  const watchRun = async function* (_request: unknown, { signal }: { signal: AbortSignal }) {
    const news = watches[Math.min(begun++, watches.length - 1)]!;
    for (const item of news) {
      if (item instanceof Error) throw item;
      yield { job: jobIn(item) };
    }
    if (news.at(-1) === 'running')
      await sleep(60_000, undefined, { signal }).catch(() => Promise.reject(unavailable()));
  };
  const call = { onceOver: () => {}, requestId: 'req_1', apiKeyId: 'key_1' } as unknown as ClientCall;
  const services = { runs: { watchRun } } as unknown as Services;
  const statuses: string[] = [];
  for await (const { status } of followRun(
    jobIn('queued'),
    call,
    { services, stopping: stopping.signal },
    times,
  )) {
    statuses.push(status);
    if (status === 'running' && watches.length === 1) stopping.abort();
  }
  return { statuses, begun };
}

test('the watch is retried when the service becomes unavailable, and no state is reported twice', async () => {
  const { statuses, begun } = await statusesFrom([
    ['queued', 'running', unavailable()],
    [unavailable()],
    ['running', unavailable()],
    ['running', 'succeeded'],
  ]);
  expect(statuses).toEqual(['running', 'succeeded']);
  expect(begun).toBe(4);
});

test('following a run ends without an error when the service stays unavailable', async () => {
  const begunAtMs = performance.now();
  const { statuses, begun } = await statusesFrom([['queued', unavailable()], [unavailable()]], IMPATIENT);
  expect(statuses).toEqual([]);
  expect(begun).toBeGreaterThan(2);
  expect(performance.now() - begunAtMs).toBeGreaterThanOrEqual(IMPATIENT.giveUpMs);
});

test('a watch that ends without a report counts as an unavailable service', async () => {
  expect((await statusesFrom([[]], IMPATIENT)).statuses).toEqual([]);
});

test('following a run ends at once when the job no longer exists', async () => {
  const { statuses, begun } = await statusesFrom([
    ['running', new ServiceError('job_not_found', 'There is no such job.')],
    ['running', 'succeeded'],
  ]);
  expect([statuses, begun]).toEqual([['running'], 1]);
});

test('following a run ends at once when the gateway stops', async () => {
  expect((await statusesFrom([['running']])).statuses).toEqual(['running']);
});

import { userInfo } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { thaw } from '#support/processes/signals.ts';
import { submitRun } from '#support/rest/jobs.ts';
import { errorCode } from '#support/rest/rest.ts';
import { saring } from '#support/fleets/saring-cli.ts';
import { own } from './fleet.ts';

const PATH = '/api/v1/data/nego/window?min_val=0';
/** The pause between two reads of a reader. */
const PAUSE_MS = 10;

const read = () => own.rest.get<{ dataset_version: string }>(PATH);
const served = async () => (await read()).body.dataset_version;

async function json<T>(...words: string[]): Promise<T> {
  const { code, stdout, stderr } = await saring(own.fleet.stateDir, 'dataset', ...words, '--json');
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as T;
}

async function outcomeOf(): Promise<string> {
  const response = await read();
  return response.status === 200 ? 'ok' : `${response.status} ${errorCode(response)}`;
}

test('a killed service takes its cached answers with it, and they return after its restart', async () => {
  await expect.poll(outcomeOf).toBe('ok');
  await own.fleet.kill9('market-data');
  await expect.poll(outcomeOf, { interval: 10 }).toBe('503 data_unavailable');
  await expect.poll(outcomeOf).toBe('ok');
});

test('the gateway stops serving cached answers when the service no longer responds', async () => {
  await expect.poll(outcomeOf).toBe('ok');
  const pid = (await own.fleet.file()).pids['market-data']!;
  process.kill(pid, 'SIGSTOP');
  try {
    await expect.poll(outcomeOf).toBe('503 data_unavailable');
  } finally {
    thaw([pid]);
  }
  await expect.poll(outcomeOf).toBe('ok');
});

test('under load the served version never goes back, and is the new one once the import reports it', async () => {
  await expect.poll(outcomeOf).toBe('ok');
  const versions = [await served()];
  let isOver = false;
  const reader = async () => {
    while (!isOver) {
      const known = versions.length - 1;
      const version = await served();
      if (!versions.includes(version)) versions.push(version);
      expect(versions.indexOf(version)).toBeGreaterThanOrEqual(known);
      await sleep(PAUSE_MS);
    }
  };
  const readers = Promise.all([reader(), reader(), reader()]);
  readers.catch(() => {});
  try {
    for (const seed of ['2', '3']) {
      const published = await saring(own.fleet.stateDir, 'dataset', 'sample', '--seed', seed, '--json');
      const { dataset } = JSON.parse(published.stdout) as { dataset: { version: string } };
      expect(await served()).toBe(dataset.version);
    }
  } finally {
    isOver = true;
  }
  await readers;
  expect(versions).toHaveLength(3);
});

test('the gateway and the workers serve a version that the operator rolls back to, without a restart', async () => {
  const after = await read();
  const { datasets } = await json<{ datasets: { version: string }[] }>('list');
  const before = datasets.at(-1)!.version;
  expect(before).not.toBe(after.body.dataset_version);
  await json('use', before, '--reason', 'a test');
  const condition = { headers: { 'if-none-match': after.headers.get('etag')! } };
  const response = await own.rest.get<{ dataset_version: string }>(PATH, condition);
  expect([response.status, response.body.dataset_version]).toEqual([200, before]);
  expect(response.headers.get('x-dataset-version')).toBe(before);
  const versionOfRun = async () => {
    const job = await submitRun(own.rest, {}, '?wait=30');
    return (job.result as { diag: { dataset_version: string } }).diag.dataset_version;
  };
  await expect.poll(versionOfRun).toBe(before);
  await json('use', after.body.dataset_version);
  expect((await read()).headers.get('etag')).toBe(after.headers.get('etag'));
  const { served } = await json<{ served: object[] }>('history', '--limit', '2');
  expect(served).toMatchObject([
    { version: after.body.dataset_version, action: 'use', actor: userInfo().username },
    { version: before, action: 'use', reason: 'a test' },
  ]);
});

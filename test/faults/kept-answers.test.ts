import { expect, test } from 'vitest';
import { ownFleet } from '#support/broken-fleet.ts';
import { errorCode } from '#support/rest.ts';
import { saring } from '#support/saring-cli.ts';

const own = ownFleet();
const PATH = '/api/v1/data/nego/window?min_val=0';
const PATIENTLY = { timeout: 20_000 };

const read = () => own.rest.get<{ dataset_version: string }>(PATH);
const served = async () => (await read()).body.dataset_version;

async function outcomeOf(): Promise<string> {
  const answer = await read();
  return answer.status === 200 ? 'ok' : `${answer.status} ${errorCode(answer)}`;
}

test('a service that is killed takes its answers with it, and they come back with it', async () => {
  await expect.poll(outcomeOf, PATIENTLY).toBe('ok');
  await own.fleet.kill9('market-data');
  await expect.poll(outcomeOf, { ...PATIENTLY, interval: 10 }).toBe('503 data_unavailable');
  await expect.poll(outcomeOf, PATIENTLY).toBe('ok');
});

test('of a service that says nothing any more no answer is given from memory for long', async () => {
  await expect.poll(outcomeOf, PATIENTLY).toBe('ok');
  const pid = (await own.fleet.file()).pids['market-data']!;
  process.kill(pid, 'SIGSTOP');
  try {
    await expect.poll(outcomeOf, PATIENTLY).toBe('503 data_unavailable');
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await expect.poll(outcomeOf, PATIENTLY).toBe('ok');
});

test('under load the version that is served only moves on, and has when the import says so', async () => {
  await expect.poll(outcomeOf, PATIENTLY).toBe('ok');
  const versions = [await served()];
  let isOver = false;
  const reader = async () => {
    while (!isOver) {
      const known = versions.length - 1;
      const version = await served();
      if (!versions.includes(version)) versions.push(version);
      expect(versions.indexOf(version)).toBeGreaterThanOrEqual(known);
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

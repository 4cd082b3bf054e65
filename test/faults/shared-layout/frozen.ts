import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { settle, SteadyLoad } from '#support/fleets/broken-fleet.ts';
import { HANGS_AFTER_MS } from '#support/hangs.ts';
import { freezeFamily } from '#support/processes/signals.ts';
import { own } from './fleet.ts';

/** Detection takes about 15 s without a response, then comes the restart of up to four processes. */
const LONGER_THAN_ANY_ALLOWANCE_MS = 22_000;
const PAUSE_MS = 100;

const lines = (text: string) => own.fleet.output.split('\n').filter((line) => line.includes(text));
const isWell = async () => {
  const { body } = await own.rest.get('/api/health');
  return body['status'];
};

test.each([
  // `models` shares its process with keys, consent, usage and scheduler.
  [['gateway', 'models', 'market-data', 'model-worker-1']],
  [['nats', 'postgres', 'clickhouse']],
])('frozen processes (%s) are killed and restarted, and no accepted run is lost', async (names) => {
  const timesBack = () => names.map((name) => own.fleet.timesBack(name));
  const backBefore = timesBack();
  const load = new SteadyLoad(own.rest);
  await expect.poll(() => load.accepted.length).toBeGreaterThan(3);
  const before = (await own.fleet.file()).pids;
  // Never thawed: the supervisor must also end processes that stay frozen and hold resources that the new ones need.
  await Promise.all(names.map((name) => freezeFamily(before[name]!)));
  await expect.poll(timesBack).toEqual(backBefore.map((times) => times + 1));
  for (const name of names) {
    expect(lines(`! ${own.fleet.titleOf(name)} `).at(-1)).toMatch(
      /did not answer for \d+ s and was killed; it restarts in 0\.25 s/,
    );
  }
  await expect.poll(() => isWell().catch(String)).toBe('ok');
  const accepted = await load.stop();
  expect(load.unexpected).toEqual([]);
  const states = await settle(own.rest, accepted);
  // A run on a frozen worker is interrupted, as it is when the worker is killed.
  const ends = names.includes('model-worker-1') ? ['succeeded', 'interrupted'] : ['succeeded'];
  expect([...states.values()].filter((state) => !ends.includes(state))).toEqual([]);
});

test('a frozen supervisor delays no request, and kills no process when it resumes', async () => {
  const { pids } = await own.fleet.file();
  process.kill(own.fleet.pid, 'SIGSTOP');
  try {
    const until = Date.now() + LONGER_THAN_ANY_ALLOWANCE_MS;
    let longestMs = 0;
    // Many more log lines than fit into the pipe, which the frozen supervisor does not read.
    for (; Date.now() < until; await sleep(PAUSE_MS)) {
      const begun = Date.now();
      const responses = Array.from({ length: 20 }, () => own.rest.get(`/api/v1/models?${'x'.repeat(10)}`));
      await Promise.all(responses);
      longestMs = Math.max(longestMs, Date.now() - begun);
    }
    expect(longestMs).toBeLessThan(HANGS_AFTER_MS);
  } finally {
    process.kill(own.fleet.pid, 'SIGCONT');
  }
  await sleep(5_000);
  expect((await own.fleet.file()).pids).toEqual(pids);
  expect(await isWell()).toBe('ok');
});

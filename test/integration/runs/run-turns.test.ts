import { beforeEach, expect, test, vi } from 'vitest';
import { randomId } from '#foundation/ids.ts';
import { OPERATOR } from '#shared/runs/operator-runs.ts';
import type { RunRow } from '#services/models/store/tables.ts';
import { IN_TIME } from '#support/hangs.ts';
import { testRuns } from '#support/services/test-runs.ts';

const own = testRuns();
/** Two runs at once, and two that are ready. */
const TURNS = 4;
beforeEach(() => (own.runsAtOnce = 2));

async function submitted(count: number, api_key_id = randomId('key')): Promise<RunRow[]> {
  const runs: RunRow[] = [];
  for (let i = 0; i < count; i++) runs.push(await own.submit({ api_key_id }));
  return runs;
}

async function inStream(runs: readonly RunRow[]): Promise<boolean[]> {
  return Promise.all(runs.map(async (run) => (await own.requestsOf(run)).length > 0));
}

const firstOf = (count: number, all: number) => Array.from({ length: all }, (_, i) => i < count);

test('a key has as many runs in the stream as workers run at once and two more, and another key all of its few', async () => {
  const many = await submitted(10);
  const [one] = await submitted(1);
  expect(await inStream(many)).toEqual(firstOf(TURNS, 10));
  expect(await inStream([one!])).toEqual([true]);
});

test('the end of a run brings the next one of its key, in the order of submission, until none is left', async () => {
  const runs = await submitted(7);
  for (let ended = 0; ended < runs.length; ended++) {
    await own.reportStart(runs[ended]!);
    await own.reportEnd(runs[ended]!, 'succeeded');
    const sent = firstOf(Math.min(runs.length, ended + 1 + TURNS), runs.length);
    await vi.waitFor(async () => expect(await inStream(runs)).toEqual(sent), IN_TIME);
  }
});

test('a run whose turn came while nobody saw it, as after a cancellation, is sent by the sweeper', async () => {
  const runs = await submitted(TURNS + 2);
  await own.runs.cancel(runs[0]!.job_id, runs[0]!.api_key_id);
  await vi.waitFor(
    async () => expect((await inStream(runs)).slice(1)).toEqual(firstOf(TURNS, TURNS + 1)),
    IN_TIME,
  );
});

test('neither runs of the service nor those that wait for a trading day wait for a turn', async () => {
  expect(await inStream(await submitted(TURNS + 2, OPERATOR.api_key_id))).not.toContain(false);
  const api_key_id = randomId('key');
  const forDay = { api_key_id, trading_day: '2099-01-01' };
  const waiting = await Promise.all(Array.from({ length: TURNS + 2 }, () => own.submit(forDay)));
  expect(await inStream(waiting)).not.toContain(false);
  expect(await inStream(await submitted(1, api_key_id))).toEqual([true]);
});

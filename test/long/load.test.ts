import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Accepted } from '#support/load/actor.ts';
import { broken } from '../load/report.ts';
import { startLoadStage, type LoadStage } from '../load/load-stage.ts';
import { runLoad } from '../load/run-load.ts';

let stage: LoadStage | undefined;
beforeAll(async () => {
  stage = await startLoadStage();
});
afterAll(() => stage?.stop());

test('two gateways, three workers and a slow ClickHouse keep the contract under load, end every run and record it once', async () => {
  const isEnough = ({ runs, repetitions, consents }: Accepted) =>
    runs.size > 20 && Math.min(repetitions, consents.size) > 0;
  const outcome = await runLoad(stage!, { seconds: 8, isEnough, clients: 60 });
  expect(broken(outcome)).toEqual([]);
  expect(outcome.stored.usage.length).toBeGreaterThan(20);
  expect(outcome.delayedQueries).toBeGreaterThan(0);
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { FINAL } from '#support/jobs.ts';
import { startLoadStage, type LoadStage } from '../load/load-stage.ts';
import { runLoad } from '../load/run-load.ts';

let stage: LoadStage | undefined;
beforeAll(async () => {
  stage = await startLoadStage();
});
afterAll(() => stage?.stop());

const DRAINED_WITHIN = { timeout: 200_000 };

test(
  'two gateways, three workers and a slow ClickHouse under load answer by the contract, end every run and record it once',
  DRAINED_WITHIN,
  async () => {
    const { tally, accepted, drained, stored, ...outcome } = await runLoad(stage!, {
      seconds: 8,
      clients: 60,
    });
    expect(Object.fromEntries(tally.breaches)).toEqual({});
    expect(outcome.ended).toEqual([]);
    expect([...drained.states].filter(([, state]) => !FINAL.includes(state))).toEqual([]);
    const { differences } = outcome;
    expect(differences).toEqual(Object.fromEntries(Object.keys(differences).map((name) => [name, 0])));
    expect(outcome.isToldByKey).toBe(true);
    // Otherwise nothing was tried.
    expect(Math.min(accepted.runs.size, stored.usage.length)).toBeGreaterThan(20);
    expect(Math.min(accepted.repetitions, accepted.consents.size, outcome.delayedQueries)).toBeGreaterThan(0);
  },
);

import { afterAll, beforeAll, expect, test } from 'vitest';
import { broken } from '../load/report.ts';
import { startLoadStage, type LoadStage } from '../load/load-stage.ts';
import { runLoad } from '../load/run-load.ts';

/** The queue may take as long as under `make load`. */
const DRAINED_WITHIN = { timeout: 200_000 };

let stage: LoadStage | undefined;
beforeAll(async () => {
  stage = await startLoadStage();
});
afterAll(() => stage?.stop());

test(
  'two gateways, three workers and a slow ClickHouse keep the contract under load, end every run and record it once',
  DRAINED_WITHIN,
  async () => {
    const outcome = await runLoad(stage!, { seconds: 8, clients: 60 });
    expect(broken(outcome)).toEqual([]);
    // Make sure that something was tried.
    const { accepted, stored, delayedQueries } = outcome;
    expect(Math.min(accepted.runs.size, stored.usage.length)).toBeGreaterThan(20);
    expect(Math.min(accepted.repetitions, accepted.consents.size, delayedQueries)).toBeGreaterThan(0);
  },
);

import { expect, test } from 'vitest';
import { smallMarket } from '#support/markets/small-market.ts';
import { signOfLife } from '#support/processes/sign-of-life.ts';
import { ownWorker } from '#support/services/own-worker.ts';

const own = ownWorker(smallMarket(), { stopWithinMs: 60_000 });
/** Longer than a stop that leaves a run a few seconds. */
const RUN_MS = 8_000;

test('a worker that stops finishes the run that it has begun, within the time that the stop allows', async () => {
  const sign = await signOfLife();
  const run = await own.request('deaf', { ms: RUN_MS, sign: sign.path });
  await sign.seen();
  await own.stopWorker();
  expect(await own.endOf(run)).toMatchObject({ status: 'succeeded' });
});

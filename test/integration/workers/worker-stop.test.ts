import { expect, test } from 'vitest';
import { smallMarket } from '#support/markets/small-market.ts';
import { signOfLife } from '#support/processes/sign-of-life.ts';
import { testWorker, type TestWorker } from '#support/services/test-worker.ts';

const market = smallMarket();
const patient = testWorker(market, { stopWithinMs: 60_000 });
const behindARun = testWorker(market);
const atADay = testWorker(market);
/** Longer than a stop that leaves a run a few seconds. */
const RUN_MS = 8_000;
/** A model that learns for so many rounds ends only when it is interrupted. */
const ROUNDS = 10_000;

/** How many workers had begun a day when it was put back into the queue; undefined unless it was. */
async function triesOfDay(own: TestWorker, subject: string): Promise<string | undefined> {
  const message = await own.models.jsm.streams.getMessage('BACKFILLS', { last_by_subj: subject });
  return message?.header.get('Saring-Tries');
}

test('a worker that stops finishes the run that it has begun, within the time that the stop allows', async () => {
  const sign = await signOfLife();
  const run = await patient.request('deaf', { ms: RUN_MS, sign: sign.path });
  await sign.seen();
  await patient.stopWorker();
  expect(await patient.endOf(run)).toMatchObject({ status: 'succeeded' });
});

test('a worker that stops puts back the day that waits for its run, untried', async () => {
  const sign = await signOfLife();
  const run = await behindARun.request('learning', { rounds: ROUNDS, sign: sign.path });
  await sign.seen();
  const day = await behindARun.requestDay('quick', {});
  const taken = async () =>
    (await behindARun.models.jsm.consumers.info('BACKFILLS', 'workers')).num_ack_pending;
  await expect.poll(taken).toBe(1);
  await behindARun.stopWorker();
  expect(await triesOfDay(behindARun, day)).toBe('0');
  expect(await behindARun.endOf(run)).toMatchObject({ status: 'interrupted' });
});

test('a worker that stops interrupts the day that it screens and puts it back, untried', async () => {
  const sign = await signOfLife();
  const day = await atADay.requestDay('learning', { rounds: ROUNDS, sign: sign.path });
  await sign.seen();
  await atADay.stopWorker();
  expect(await triesOfDay(atADay, day)).toBe('0');
});

import { expect, test } from 'vitest';
import { noDataOf } from '#services/model-worker/failures/failure-messages.ts';
import { testWorker } from '#support/services/test-worker.ts';
import { smallMarket, SMALL_DATASET, type AddedDay } from '#support/markets/small-market.ts';

const market = smallMarket();
const TIMES = 20;
/** The worker gives up a day that has not arrived by then: long enough for the test to publish it. */
const own = testWorker(market, { waitForDay: { times: TIMES, pauseMs: 250 } });

const DAY: AddedDay = { date: '2024-04-01', version: 'real-20240401-1' };
const LATER: AddedDay = { date: '2024-04-02', version: 'real-20240402-1' };
const NEVER = '2026-11-20';

/** How many requests were given back so far. A request counts once, however often it was given back. */
const givenBack = async () => (await own.models.jsm.consumers.info('RUNS', 'workers')).num_redelivered;

test('a run whose day is missing waits without blocking others, then uses the version that has it', async () => {
  const waiting = await own.request('quick', {}, DAY.date);
  await expect.poll(givenBack).toBe(1);
  const other = await own.request('quick');
  expect(await own.endOf(other)).toMatchObject({
    status: 'succeeded',
    dataset_version: SMALL_DATASET.version,
  });
  expect(await own.hasStarted(waiting)).toBe(false);
  await market.publishDay(DAY);
  expect(await own.endOf(waiting)).toMatchObject({ status: 'succeeded', dataset_version: DAY.version });
});

test('a run whose day never arrives finally fails and names the missing day', async () => {
  const run = await own.request('quick', {}, NEVER);
  expect(await own.endOf(run)).toMatchObject({
    status: 'failed',
    error_code: 'data_unavailable',
    error_message: noDataOf(NEVER).in.id,
  });
});

test('a run whose day is in an unreadable version fails, while a run for any day succeeds', async () => {
  await market.publishDay(LATER, { bars: 1_000_000 });
  const run = await own.request('quick', {}, LATER.date);
  expect(await own.endOf(run)).toMatchObject({ status: 'failed', error_message: noDataOf(LATER.date).in.id });
  const other = await own.request('quick');
  expect(await own.endOf(other)).toMatchObject({ status: 'succeeded', dataset_version: DAY.version });
});

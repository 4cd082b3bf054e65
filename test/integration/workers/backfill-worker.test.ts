import { expect, test, vi } from 'vitest';
import { BackfillDayEnded, BackfillDayRequested } from '#proto/saring/events/v1/backfills.ts';
import { BackfillWorker } from '#services/model-worker/backfill-worker.ts';
import type { SharedMarket } from '#services/model-worker/market/shared-market.ts';
import type { ScreenThread } from '#services/model-worker/threads/screen-thread.ts';
import type { Outcome } from '#services/model-worker/threads/thread-messages.ts';
import { ThreadPool } from '#services/model-worker/threads/thread-pool.ts';
import { randomId } from '#foundation/ids.ts';
import { createLogger } from '#platform/operations/logger.ts';
import { subjects } from '#platform/nats/subjects.ts';
import { ownNats } from '#support/servers/own-nats.ts';
import { IN_TIME } from '#support/hangs.ts';

const log = createLogger('test', 'silent');
const DAY = '2024-06-28';
/** More stops than tries that a day has. */
const STOPS = 6;

const own = ownNats();

/** A thread, and the market that it has. */
class Screens {
  used: SharedMarket | undefined = { dataset: { version: 'real-1' } } as SharedMarket;
  runs = 0;
  readonly end = Promise.withResolvers<Outcome>();

  run(): Promise<Outcome> {
    this.runs++;
    return this.end.promise;
  }

  cancel(): void {
    this.end.resolve({ status: 'interrupted' });
  }
}

/** A thread that does not notice that it must give up its run. */
class DeafScreens extends Screens {
  override cancel(): void {}
}

const SUCCEEDED = {
  status: 'succeeded',
  resultJson: Buffer.from('{}'),
  english: [],
  datasetVersion: 'real-1',
  summary: { pick_count: 0, tickers: [], target_date: '2024-06-28' },
} as unknown as Outcome;

const noPinnedMarkets = { of: () => Promise.reject(new Error('no day names a version')) };

function startWorker(screens: Screens): BackfillWorker {
  const pool = new ThreadPool([screens as unknown as ScreenThread]);
  const worker = new BackfillWorker({
    nats: own.nats,
    markets: screens,
    pinnedMarkets: noPinnedMarkets,
    pool,
    log,
  });
  worker.start();
  return worker;
}

async function requestDay(subjectOf = subjects.backfillDay): Promise<string> {
  const backfill_id = randomId('bf');
  const day = { backfill_id, model_id: 'confluence_filter', params: {}, as_of: DAY };
  await own.nats.js.publish(subjectOf(backfill_id, DAY), BackfillDayRequested.encode(day).finish());
  return backfill_id;
}

/** The number of messages that request a day, by subject. */
async function queued(): Promise<Record<string, number>> {
  const { state } = await own.nats.jsm.streams.info('BACKFILLS', { subjects_filter: '>' });
  return state.subjects ?? {};
}

async function pageOf(backfillId: string): Promise<BackfillDayEnded> {
  const last_by_subj = subjects.backfillPage(backfillId);
  const stored = await vi.waitFor(async () => {
    const found = await own.nats.jsm.streams.getMessage('BACKFILL_PAGES', { last_by_subj });
    if (!found) throw new Error('no page yet');
    return found;
  }, IN_TIME);
  return BackfillDayEnded.decode(stored.data);
}

/** A worker takes the day of the only request and stops. Then the day is in the queue again, and once. */
async function putBack(backfillId: string, screens: Screens): Promise<void> {
  const worker = startWorker(screens);
  await vi.waitFor(() => expect(screens.runs).toBe(1), IN_TIME);
  await worker.stop();
  const again = { [subjects.backfillDay(backfillId, DAY)]: 1 };
  await vi.waitFor(async () => expect(await queued()).toEqual(again), IN_TIME);
}

/** A worker runs the day of the only request. */
async function runDay(backfillId: string): Promise<void> {
  const screens = new Screens();
  screens.end.resolve(SUCCEEDED);
  const worker = startWorker(screens);
  expect((await pageOf(backfillId)).error_message).toBeUndefined();
  expect(screens.runs).toBe(1);
  await worker.stop();
}

test('a worker takes no day before it has a dataset, and then runs it', async () => {
  const screens = new Screens();
  screens.used = undefined;
  screens.end.resolve(SUCCEEDED);
  const id = await requestDay();
  const worker = startWorker(screens);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  await expect(own.nats.jsm.consumers.info('BACKFILLS', 'workers')).rejects.toThrow();
  screens.used = { dataset: { version: 'real-1' } } as SharedMarket;
  expect((await pageOf(id)).error_message).toBeUndefined();
  await worker.stop();
});

test('a day that stopping workers put back is not lost, however often they do and whether or not their threads notice', async () => {
  const id = await requestDay();
  for (let stop = 0; stop < STOPS; stop++)
    await putBack(id, stop % 2 === 0 ? new Screens() : new DeafScreens());
  await runDay(id);
});

test('a day that an earlier version requested is put back like any other, and run', async () => {
  const id = await requestDay(subjects.earlierBackfillDays);
  await putBack(id, new Screens());
  await runDay(id);
});

test('a day that is withdrawn while a worker has it is not put back', async () => {
  const id = await requestDay();
  const screens = new Screens();
  const worker = startWorker(screens);
  await vi.waitFor(() => expect(screens.runs).toBe(1), IN_TIME);
  await own.nats.jsm.streams.purge('BACKFILLS', { filter: subjects.backfillDay(id, '*') });
  await worker.stop();
  expect(await queued()).toEqual({});
});

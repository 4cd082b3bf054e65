import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { BackfillDayEnded, BackfillDayRequested } from '#proto/saring/events/v1/backfills.ts';
import { subjects } from '#platform/nats/subjects.ts';
import { testRuns } from '#support/services/test-runs.ts';
import { IN_TIME } from '#support/hangs.ts';

const own = testRuns();
const DAYS = ['2024-06-26', '2024-06-27', '2024-06-28'];
/** Longer than a backfill may be without a page before its days are requested again. */
const LONG_MS = 120_000;

/** How many requests the stream has on each subject of the backfill. */
async function requestsOf(backfillId: string): Promise<Record<string, number>> {
  const { state } = await own.worker.jsm.streams.info('BACKFILLS', { subjects_filter: '>' });
  const of = Object.entries(state.subjects ?? {}).filter(([subject]) => subject.includes(backfillId));
  return Object.fromEntries(of);
}

test('a day that waits in the stream is stored once, also after the stream has forgotten its id', async () => {
  const id = await own.writeBackfill(DAYS);
  const onceEach = Object.fromEntries(DAYS.map((day) => [subjects.backfillDay(id, day), 1]));
  await own.parts.backfills.poll();
  await vi.waitFor(async () => expect(await requestsOf(id)).toEqual(onceEach), IN_TIME);
  const { config } = await own.worker.jsm.streams.info('BACKFILLS');
  // The shortest window that JetStream accepts: the id is forgotten at once.
  await own.worker.jsm.streams.update('BACKFILLS', { ...config, duplicate_window: 100_000_000 });
  await sleep(500);
  for (let round = 0; round < 3; round++) {
    const moved_at = new Date(Date.now() - LONG_MS);
    await own.database.updateTable('backfill').set({ moved_at }).where('backfill_id', '=', id).execute();
    await own.parts.backfills.poll();
    const row = own.database.selectFrom('backfill').select('moved_at').where('backfill_id', '=', id);
    // A day that waits counts as requested.
    expect((await row.executeTakeFirstOrThrow()).moved_at!.getTime()).toBeGreaterThan(moved_at.getTime());
  }
  expect(await requestsOf(id)).toEqual(onceEach);
});

test('a cancelled backfill leaves no day in the stream, also none that an earlier version requested', async () => {
  const id = await own.writeBackfill(DAYS);
  const day = { backfill_id: id, model_id: 'confluence_filter', params: {}, as_of: DAYS[0]! };
  const message = BackfillDayRequested.encode(day).finish();
  await own.worker.js.publish(subjects.earlierBackfillDays(id), message);
  await own.parts.backfills.poll();
  await vi.waitFor(async () => expect(Object.keys(await requestsOf(id))).toHaveLength(4), IN_TIME);
  await own.parts.backfills.cancel(id, 'key_a');
  await vi.waitFor(async () => expect(await requestsOf(id)).toEqual({}), IN_TIME);
});

test('a backfill has as many days in the stream as workers run at once and two more, and every page brings the next', async () => {
  own.runsAtOnce = 2;
  const days = Array.from({ length: 8 }, (_, i) => `2024-05-0${i + 1}`);
  const id = await own.writeBackfill(days);
  const waiting = (some: string[]) =>
    Object.fromEntries(some.map((day) => [subjects.backfillDay(id, day), 1]));
  await own.parts.backfills.poll();
  for (const [done, day] of days.entries()) {
    const next = waiting(days.slice(done, done + 4));
    await vi.waitFor(async () => expect(await requestsOf(id)).toEqual(next), IN_TIME);
    const page = { backfill_id: id, as_of: day, tickers: [], english: [], error_message: 'Belum ada.' };
    await own.worker.js.publish(subjects.backfillPage(id), BackfillDayEnded.encode(page).finish());
    await own.worker.jsm.streams.purge('BACKFILLS', { filter: subjects.backfillDay(id, day) });
  }
  const ended = () => own.parts.backfills.get(id, 'key_a');
  await vi.waitFor(async () => expect(await ended()).toMatchObject({ status: 'failed', done: 8 }), IN_TIME);
});

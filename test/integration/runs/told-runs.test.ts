import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { createLogger } from '#platform/operations/logger.ts';
import { OPERATOR } from '#shared/runs/operator-runs.ts';
import { Outbox } from '#platform/postgres/outbox.ts';
import { subjects } from '#platform/nats/subjects.ts';
import { createStores } from '#services/models/create-models.ts';
import { IN_TIME } from '#support/hangs.ts';
import { RECORD_SECRET, testRuns } from '#support/services/test-runs.ts';

/** What applications are told of runs. Nothing takes it out of the stream here. */

const own = testRuns();
const END = { finished_at: new Date(), target_date: '2026-09-30' };
const log = createLogger('test', 'silent');

/** What keys are told of these runs, once as many events are there. */
const toldOnce = (count: number) =>
  vi.waitFor(async () => {
    const told = await own.told();
    expect(new Set(told.map(({ event_id }) => event_id)).size).toBe(told.length);
    expect(told.length).toBeGreaterThanOrEqual(count);
    return told;
  }, IN_TIME);

test('a key is told once how each run ended, however often its end is reported', async () => {
  const [succeeds, fails, stops, cancelled] = await Promise.all(
    Array.from({ length: 4 }, () => own.accept()),
  );
  for (let i = 0; i < 2; i++) {
    await own.reportEnd(succeeds!, 'succeeded');
    await own.reportEnd(fails!, 'failed', undefined, { error_code: 'insufficient_data' });
    await own.reportEnd(stops!, 'interrupted');
  }
  await own.runs.cancel(cancelled!.job_id, 'key_a');
  await own.untilReportsAreApplied();
  await toldOnce(4);
  const of = async (run: typeof succeeds) => {
    const told = await own.toldOf(run!);
    expect(told).toHaveLength(1);
    expect(told[0]!.api_key_id).toBe('key_a');
    return told[0]!;
  };
  const about = { model_id: 'confluence_filter', end_user: 'alice' };
  expect(await of(succeeds)).toMatchObject({
    type: 'run.succeeded',
    data: { ...about, as_of: '2026-09-30', pick_count: 1 },
  });
  expect(await of(fails)).toMatchObject({
    type: 'run.failed',
    data: { ...about, error_code: 'insufficient_data' },
  });
  expect(await of(stops)).toMatchObject({
    type: 'run.interrupted',
    data: { ...about, error_code: 'interrupted' },
  });
  expect(await of(cancelled)).toMatchObject({
    type: 'run.failed',
    data: { ...about, error_code: 'cancelled' },
  });
});

test('nobody is told of the runs of the service itself', async () => {
  const run = await own.submit({ ...OPERATOR });
  await own.store.end(run.job_id, { ...END, status: 'succeeded' });
  const later = await own.accept();
  await own.store.end(later.job_id, { ...END, status: 'succeeded' });
  await vi.waitFor(async () => expect(await own.toldOf(later)).toHaveLength(1), IN_TIME);
  expect(await own.toldOf(run)).toEqual([]);
});

test('runs that end while NATS is unavailable are told once it is back, and until then counted, with the age of the oldest', async () => {
  const { outbox } = createStores(own.database, RECORD_SECRET, log);
  const runs = await Promise.all(Array.from({ length: 5 }, () => own.accept()));
  await own.natsServer.kill9();
  for (const { job_id } of runs) await own.store.end(job_id, { ...END, status: 'succeeded' });
  const { messages, oldestSeconds } = await outbox.state();
  expect(messages).toBe(5);
  expect(oldestSeconds).toBeGreaterThan(0);
  expect((await outbox.state()).oldestSeconds).toBeGreaterThan(oldestSeconds);
  await own.natsServer.start();
  for (const run of runs)
    await vi.waitFor(async () => expect(await own.toldOf(run)).toHaveLength(1), IN_TIME);
  await vi.waitFor(
    async () => expect(await outbox.state()).toEqual({ messages: 0, oldestSeconds: 0 }),
    IN_TIME,
  );
});

test('a process that dies between the end of a run and its event, or between the stream and the outbox, leaves both to others', async () => {
  const [untold, toldAlready] = [await own.accept(), await own.accept()];
  // A process that publishes nothing any more.
  const dying = createStores(own.database, RECORD_SECRET, log);
  await dying.store.end(untold.job_id, { ...END, status: 'succeeded' });
  await vi.waitFor(async () => expect(await own.toldOf(untold)).toHaveLength(1), IN_TIME);

  await own.store.end(toldAlready.job_id, { ...END, status: 'failed' });
  const [event] = await vi.waitFor(async () => {
    const told = await own.toldOf(toldAlready);
    expect(told).toHaveLength(1);
    return told;
  }, IN_TIME);
  const waiting = () => own.database.selectFrom('outbox').selectAll().execute();
  await vi.waitFor(async () => expect(await waiting()).toEqual([]), IN_TIME);
  await dying.outbox.hold([
    {
      message_id: event!.event_id,
      subject: subjects.event('models'),
      message: Buffer.from('the same again'),
    },
  ]);
  await vi.waitFor(async () => expect(await waiting()).toEqual([]), IN_TIME);
  expect(await own.toldOf(toldAlready)).toHaveLength(1);
});

test('exactly what was committed is published, once, whatever fails', async () => {
  const { js } = own.worker;
  const steps = fc.array(
    fc.record({
      messages: fc.integer({ min: 0, max: 3 }),
      commits: fc.boolean(),
      refusals: fc.integer({ min: 0, max: 2 }),
    }),
    { minLength: 1, maxLength: 8 },
  );
  let next = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (transactions) => {
      let refusals = 0;
      const outbox = new Outbox({ database: own.database, log });
      outbox.publishTo({
        js: {
          publish: async (...args: Parameters<typeof js.publish>) => {
            const ack = await js.publish(...args);
            // The stream took it, and the answer is lost.
            if (refusals-- > 0) throw new Error('timeout');
            return ack;
          },
        } as typeof js,
      });
      const committed: string[] = [];
      for (const { messages, commits, refusals: lost } of transactions) {
        refusals = lost;
        const ids = Array.from({ length: messages }, () => `evt_of_property_${next++}`);
        const put = ids.map((message_id) => ({
          message_id,
          subject: 'events.property',
          message: Buffer.from(message_id),
        }));
        const work = outbox.inTransaction(async (tx) => {
          await outbox.put(tx, put);
          if (!commits) throw new Error('rolled back');
        });
        await work.catch(() => {});
        if (commits) committed.push(...ids);
      }
      const stop = outbox.start();
      const rows = () => own.database.selectFrom('outbox').selectAll().execute();
      await vi.waitFor(async () => expect(await rows()).toEqual([]), IN_TIME);
      await stop();
      expect((await own.textsOn('events.property')).toSorted()).toEqual(committed.toSorted());
      await own.worker.jsm.streams.purge('EVENTS', { filter: 'events.property' });
    }),
    { numRuns: 10 },
  );
});

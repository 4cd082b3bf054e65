import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { LedgerCeiling } from '#services/usage/store/ledger-ceiling.ts';
import type { UsageRecorded } from '#proto/saring/events/v1/usage.ts';
import { allPages, testUsage } from '#support/services/test-usage.ts';
import { insertUsage, publishUsage, usageEvent } from '#support/usage/usage-events.ts';
import { latestOf, newestFirst, someRuns } from '#support/usage/usage-runs.ts';
import { DAY_MS } from '#foundation/iso-day.ts';

const own = testUsage({ USAGE_CEILING_ROWS: '0' });
const { signal } = new AbortController();
const WEEKS = 2 * 7 * DAY_MS;
const insert = (events: UsageRecorded[]) => insertUsage(own.sql, events);
const idsOf = (events: { event_id: string }[]) => events.map(({ event_id }) => event_id);
const empty = () => own.sql.command({ query: 'TRUNCATE TABLE usage.event' });
beforeEach(empty);

/** Ids that every reader sees, newest first. */
async function present(): Promise<string[]> {
  const all = { since: undefined, until: undefined, limit: 200 };
  const pages = await allPages((cursor) =>
    own.calls.listAllEvents({ ...all, cursor }, { requestId: 'req_test' }),
  );
  return pages.flatMap(({ events }) => idsOf(events));
}

test('the ceiling keeps exactly the newest runs, even started ones, and no step removes a younger one', async () => {
  const keys = ['key_1', 'key_2'];
  const drawn = (prefix: string, maxLength: number) => someRuns(prefix, { keys, maxLength, pauseMs: WEEKS });
  const [kept, step] = [fc.integer({ min: 1, max: 16 }), fc.integer({ min: 6, max: 16 })];
  await fc.assert(
    fc.asyncProperty(
      drawn('a', 20),
      drawn('b', 3),
      kept,
      step,
      async (runs, arriving, runsKept, runsPerStep) => {
        await empty();
        for (const state of [0, 1]) await insert(runs.flatMap((states) => states[state] ?? []));
        const all = runs.map(latestOf);
        const ceiling = new LedgerCeiling(own.sql, runsKept, { runsPerStep });
        for (let [more, left] = [true, runs.length]; more;) {
          left = Math.max(Math.min(left, runsKept), left - runsPerStep);
          more = await ceiling.step(signal);
          expect(await present()).toEqual(idsOf(newestFirst(all)).slice(0, left));
        }
        const later = arriving.map((states) => ({ ...latestOf(states), ts: new Date(Date.now() + 1e10) }));
        await insert(later);
        while (await ceiling.step(signal));
        expect(await present()).toEqual(idsOf(newestFirst([...all, ...later])).slice(0, runsKept));
      },
    ),
    { numRuns: 6 },
  );
});

test('late states of a removed run are removed too', async () => {
  const at = (day: number) => usageEvent({ ts: new Date(Date.now() - day * DAY_MS) });
  const [old, ...young] = [at(100), at(2), at(1)];
  await insert([old, ...young]);
  const ceiling = new LedgerCeiling(own.sql, 2);
  await ceiling.step(signal);
  await insert([{ ...old, status: 'failed' }]);
  await ceiling.step(signal);
  expect(await present()).toEqual(idsOf(young.toReversed()));
});

test('months before the youngest removed run free their space', async () => {
  const at = (day: number) => usageEvent({ ts: new Date(Date.now() - day * DAY_MS) });
  await insert([at(150), at(110), at(70), at(1), at(1)]);
  while (await new LedgerCeiling(own.sql, 2, { runsPerStep: 1 }).step(signal));
  const months = `SELECT toUInt32(uniqExact(partition_id)) AS months FROM system.parts
    WHERE active AND database = 'usage' AND table = 'event'`;
  expect(await own.row(months)).toEqual({ months: 2 });
});

test('the service removes runs beyond its ceiling from the start, and nothing when it is 0', async () => {
  const events = Array.from({ length: 30 }, (_, index) =>
    usageEvent({ ts: new Date(Date.now() - index * 1_000) }),
  );
  await insert(events);
  await own.service.kill();
  await own.startService({ USAGE_CEILING_ROWS: '20' });
  await expect.poll(present).toEqual(idsOf(events.slice(0, 20)));

  await insert(events.slice(20));
  await own.service.kill();
  await own.startService({ USAGE_CEILING_ROWS: '0' });
  await publishUsage(own.publisher, usageEvent());
  // By now a first check of the ceiling would have removed events.
  await expect.poll(async () => (await present()).length).toBe(31);
});

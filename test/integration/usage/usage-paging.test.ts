import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { UsageRecorded } from '#proto/saring/events/v1/usage.ts';
import { allPages, testUsage } from '#support/services/test-usage.ts';
import { insertUsage, succeeded } from '#support/usage/usage-events.ts';
import {
  latestOf,
  matches,
  newestFirst,
  someFilters,
  someRuns,
  type RecordedRun,
  type RunFilter,
} from '#support/usage/usage-runs.ts';

const own = testUsage();
const CALL = { requestId: 'req_test' };
const KEYS = ['key_1', 'key_2'];
const insert = (events: UsageRecorded[]) => insertUsage(own.sql, events);
const idsOf = (events: { event_id: string }[]) => events.map(({ event_id }) => event_id);

/** Inserts each state separately, so that ClickHouse also holds replaced rows. */
async function freshLedger(runs: RecordedRun[]): Promise<void> {
  await own.sql.command({ query: 'TRUNCATE TABLE usage.event' });
  for (const state of [0, 1]) await insert(runs.flatMap((states) => states[state] ?? []));
}

interface Paging {
  /** The filters that the list accepts. */
  filters: fc.Arbitrary<RunFilter>;
  page: (filter: RunFilter, limit: number, cursor: string | undefined) => ReturnType<typeof own.list>;
}
const lists: Record<string, Paging> = {
  'a key’s own list': {
    filters: someFilters(KEYS).map((filter) => ({ ...filter, api_key_id: 'key_1', channel: undefined })),
    page: (filter, limit, cursor) => own.list({ ...filter, api_key_id: filter.api_key_id!, limit, cursor }),
  },
  'the list of every key': {
    filters: someFilters(KEYS),
    page: (filter, limit, cursor) => own.calls.listAllEvents({ ...filter, limit, cursor }, CALL),
  },
};

test.each(Object.entries(lists))(
  '%s equals a list in memory, for any filter and page size',
  async (_name, { filters, page }) => {
    const limits = fc.integer({ min: 1, max: 8 });
    await fc.assert(
      fc.asyncProperty(someRuns('a', { keys: KEYS }), filters, limits, async (runs, filter, limit) => {
        await freshLedger(runs);
        const wanted = newestFirst(runs.map(latestOf)).filter((event) => matches(filter, event));
        const pages = await allPages((cursor) => page(filter, limit, cursor));
        expect(pages.flatMap(({ events }) => events)).toMatchObject(
          wanted.map(({ event_id, api_key_id, actor, channel, status }) => {
            return { event_id, api_key_id, actor, channel, status };
          }),
        );
        expect(pages).toHaveLength(Math.max(1, Math.ceil(wanted.length / limit)));
      }),
      { numRuns: 12 },
    );
  },
);

test.each(Object.entries(lists))(
  '%s shows every event once and in order during concurrent inserts and state changes',
  async (_name, { filters, page }) => {
    const arrivals = fc.array(someRuns('b', { keys: KEYS, maxLength: 4 }), { minLength: 1, maxLength: 4 });
    const limits = fc.integer({ min: 2, max: 6 });
    await fc.assert(
      fc.asyncProperty(
        someRuns('a', { keys: KEYS, maxLength: 16 }),
        arrivals,
        filters,
        limits,
        async (present, arriving, filter, limit) => {
          await freshLedger(present);
          const open = present.filter((states) => states.length === 1).map(latestOf);
          const hasEnded = new Set<string>();
          let round = 0;
          const between = async () => {
            const more = arriving[round % arriving.length]!.flat();
            round++;
            const others = more.map((event) => ({ ...event, event_id: `${event.event_id}${round}` }));
            // Between any two pages one open run ends, whether or not it has been shown.
            const ended = open.splice(0, 1).map(succeeded);
            await insert([...others, ...ended]);
            for (const { event_id } of ended) hasEnded.add(event_id);
          };
          const pages = await allPages((cursor) => page(filter, limit, cursor), between);
          const seen = pages.flatMap(({ events }) => events);
          expect(new Set(idsOf(seen)).size).toBe(seen.length);
          expect(idsOf(seen)).toEqual(idsOf(newestFirst(seen as UsageRecorded[])));
          // A run that has ended no longer matches a filter by status; all other runs must be seen.
          const stayed = newestFirst(present.map(latestOf)).filter(
            (event) => matches(filter, event) && !(filter.status && hasEnded.has(event.event_id)),
          );
          const ofThose = new Set(idsOf(stayed));
          expect(idsOf(seen).filter((id) => ofThose.has(id))).toEqual(idsOf(stayed));
        },
      ),
      { numRuns: 12 },
    );
  },
);

import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import type { UsageRecorded } from '#proto/saring/events/v1/usage.ts';
import { testUsage } from '#support/services/test-usage.ts';
import { insertUsage, succeeded, usageEvent } from '#support/usage/usage-events.ts';
import {
  latestOf,
  matches,
  newestFirst,
  NOON,
  someFilters,
  someRuns,
  type RunFilter,
} from '#support/usage/usage-runs.ts';

const own = testUsage();
const CALL = { requestId: 'req_test' };
const ANY_TIME = { since: undefined, until: undefined };
const KEYS = ['key_1', 'key_2'];
/** Neighbouring moments are hours apart, and some are on different days in Jakarta and in UTC. */
const HOURS = 5 * 3_600_000;
const runs = someRuns('a', { keys: KEYS, pauseMs: HOURS });
const insert = (...events: UsageRecorded[]) => insertUsage(own.sql, events);
const empty = () => own.sql.command({ query: 'TRUNCATE TABLE usage.event' });
beforeEach(empty);

/** Inserts both states separately, and some of the first states once more at the end. */
async function insertStates(recorded: UsageRecorded[][]): Promise<void> {
  for (const state of [0, 1]) await insert(...recorded.flatMap((states) => states[state] ?? []));
  await insert(...recorded.flatMap((states) => states[0]!).slice(0, 5));
}

const jakartaDay = ({ ts }: UsageRecorded) =>
  new Date(ts!.getTime() + 7 * 3_600_000).toISOString().slice(0, 10);
const KEY_OF: Record<string, (event: UsageRecorded) => string> = {
  model: (event) => event.model_id,
  end_user: (event) => event.end_user,
  status: (event) => event.status,
  channel: (event) => event.channel,
  day: jakartaDay,
  api_key: (event) => event.api_key_id,
  actor: (event) => event.actor,
};

const lastOf = (events: UsageRecorded[]) => newestFirst(events)[0]!.ts!;
const mean = (values: number[]) =>
  values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;

/** The expected groups of a summary: by the key of the group and, with `owned`, also by the API key. */
function groupsOf(events: UsageRecorded[], groupBy: string, owned: boolean) {
  const groups = Map.groupBy(events, (event) =>
    JSON.stringify([KEY_OF[groupBy]!(event), owned ? event.api_key_id : undefined]),
  );
  const counted = [...groups.values()].map((members) => ({
    key: KEY_OF[groupBy]!(members[0]!),
    api_key_id: owned ? members[0]!.api_key_id : undefined,
    runs: members.length,
    succeeded: members.filter(({ status }) => status === 'succeeded').length,
    failed: members.filter(({ status }) => status === 'failed').length,
    avg_duration_seconds: mean(
      members.filter(({ status }) => status !== 'started').map(({ duration_seconds }) => duration_seconds),
    ),
    last_run_at: lastOf(members),
  }));
  const byName = (a: { key: string; api_key_id: string | undefined }, b: typeof a) =>
    a.key < b.key || (a.key === b.key && a.api_key_id! < b.api_key_id!) ? -1 : 1;
  return counted.sort((a, b) =>
    groupBy === 'day' ? (a.key < b.key ? 1 : -1) : b.runs - a.runs || byName(a, b),
  );
}

const close = (groups: { avg_duration_seconds?: number | undefined }[]) =>
  groups.map((group) => ({
    ...group,
    avg_duration_seconds:
      group.avg_duration_seconds === undefined
        ? undefined
        : (expect.closeTo(group.avg_duration_seconds, 2) as number),
  }));

test('averages have at most three decimals', async () => {
  const durations = [0.0391, 0.0391, 0.0391, 1 / 3];
  await insert(
    ...durations.map((duration_seconds, i) =>
      usageEvent({ api_key_id: 'key_1', job_id: `job_${i}`, status: 'succeeded', duration_seconds }),
    ),
  );
  const { groups } = await own.calls.summarizeUsage(
    { api_key_id: 'key_1', ...ANY_TIME, group_by: 'model' },
    CALL,
  );
  expect(groups.map(({ runs: counted, avg_duration_seconds }) => [counted, avg_duration_seconds])).toEqual([
    [4, 0.113],
  ]);
});

test('the summary of a key counts each run once in its latest state, for any grouping and period', async () => {
  const groupings = fc.constantFrom('model', 'end_user', 'status', 'channel', 'day');
  await fc.assert(
    fc.asyncProperty(
      runs,
      groupings,
      someFilters(KEYS, HOURS),
      async (recorded, group_by, { since, until }) => {
        await empty();
        await insertStates(recorded);
        const filter = { api_key_id: 'key_1', since, until };
        const wanted = recorded.map(latestOf).filter((event) => matches(filter, event));
        const { total_runs, groups } = await own.calls.summarizeUsage({ ...filter, group_by }, CALL);
        expect(total_runs).toBe(wanted.length);
        expect(groups).toEqual(close(groupsOf(wanted, group_by, false)));
      },
    ),
    { numRuns: 15 },
  );
});

test('the summary of all keys counts each run once too, narrowed to any key and channel', async () => {
  const groupings = fc.constantFrom(...Object.keys(KEY_OF));
  await fc.assert(
    fc.asyncProperty(runs, groupings, someFilters(KEYS, HOURS), async (recorded, group_by, drawn) => {
      await empty();
      await insertStates(recorded);
      const { api_key_id, channel, since, until } = drawn;
      const filter: RunFilter = { api_key_id, channel, since, until };
      const wanted = recorded.map(latestOf).filter((event) => matches(filter, event));
      const { total_runs, groups } = await own.calls.summarizeAllUsage({ ...filter, group_by }, CALL);
      expect(total_runs).toBe(wanted.length);
      const owned = group_by === 'end_user' && api_key_id === undefined;
      expect(groups).toEqual(close(groupsOf(wanted, group_by, owned)));
    }),
    { numRuns: 15 },
  );
});

function endUsersOf(events: UsageRecorded[]) {
  const groups = Map.groupBy(events, ({ api_key_id, end_user }) => `${end_user} ${api_key_id}`);
  return [...groups]
    .map(([name, members]) => ({
      name,
      end_user: members[0]!.end_user,
      api_key_id: members[0]!.api_key_id,
      runs: members.length,
      first_seen: newestFirst(members).at(-1)!.ts,
      last_seen: lastOf(members),
      models: [...new Set(members.map(({ model_id }) => model_id))].sort(),
    }))
    .sort((a, b) => b.last_seen.getTime() - a.last_seen.getTime() || (a.name < b.name ? -1 : 1))
    .map(({ name: _name, ...endUser }) => endUser);
}

test('end users are listed under their key with their runs since a time, last seen first', async () => {
  await fc.assert(
    fc.asyncProperty(runs, someFilters(KEYS, HOURS), async (recorded, { api_key_id, since }) => {
      await empty();
      await insertStates(recorded);
      const latest = recorded.map(latestOf);
      const ofOne = endUsersOf(
        latest.filter((event) => matches({ api_key_id: 'key_1', since, until: undefined }, event)),
      );
      const own1 = await own.calls.listEndUsers({ api_key_id: 'key_1', since, limit: 1_000 }, CALL);
      expect(own1.end_users).toEqual(ofOne);
      const first = await own.calls.listEndUsers({ api_key_id: 'key_1', since, limit: 1 }, CALL);
      expect(first.end_users).toEqual(ofOne.slice(0, 1));
      const ofAll = endUsersOf(
        latest.filter((event) => matches({ api_key_id, since, until: undefined }, event)),
      );
      const all = await own.calls.listAllEndUsers({ api_key_id, since, limit: 1_000 }, CALL);
      expect(all.end_users).toEqual(ofAll);
    }),
    { numRuns: 15 },
  );
});

test('keys are listed with their runs since a time, most runs first', async () => {
  const at = (api_key_id: string, given: Partial<UsageRecorded>) =>
    usageEvent({ api_key_id, ts: new Date(NOON), ...given });
  const late = { ts: new Date(NOON + 1_000) };
  const [b1, b2] = [at('key_b', { end_user: 'ani' }), at('key_b', { end_user: 'budi', ...late })];
  await insert(b1, b2, at('key_a', { status: 'failed' }), at('key_c', {}));
  await insert(succeeded(b1), succeeded(b2));
  const counts = { runs: 1, succeeded: 0, failed: 0, end_users: 1 };
  const moments = { first_run_at: new Date(NOON), last_run_at: new Date(NOON) };
  expect((await own.calls.listKeyUsage({ since: undefined }, CALL)).keys).toEqual([
    { api_key_id: 'key_b', ...counts, runs: 2, succeeded: 2, end_users: 2, ...moments, last_run_at: late.ts },
    { api_key_id: 'key_a', ...counts, failed: 1, ...moments },
    { api_key_id: 'key_c', ...counts, ...moments },
  ]);
  expect((await own.calls.listKeyUsage({ since: late.ts }, CALL)).keys).toMatchObject([
    { api_key_id: 'key_b', runs: 1, first_run_at: late.ts },
  ]);
});

test('a summary has at most a thousand groups but counts all runs', async () => {
  await insert(...Array.from({ length: 1_200 }, (_, index) => usageEvent({ end_user: `user-${index}` })));
  const { total_runs, groups } = await own.calls.summarizeUsage(
    { api_key_id: 'key_a', group_by: 'end_user', ...ANY_TIME },
    CALL,
  );
  expect([total_runs, groups.length]).toEqual([1_200, 1_000]);
});

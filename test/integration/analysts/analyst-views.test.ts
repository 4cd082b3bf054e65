import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { UsageRecorded } from '#proto/saring/events/v1/usage.ts';
import { READABLE } from '#local/servers/analyst-limits.ts';
import { migrations } from '#services/usage/store/migrations/index.ts';
import { migrateClickHouse } from '#platform/clickhouse/migrate.ts';
import { testLedger } from '#support/services/test-ledger.ts';
import { plainViews } from '#support/usage/plain-views.ts';
import { insertUsage, usageEvent } from '#support/usage/usage-events.ts';

const own = testLedger();
const command = (query: string) => own.sql.command({ query });
beforeAll(() => command('SYSTEM STOP MERGES usage.event'));

/** Moments in two months around midnight in Jakarta (17:00 UTC of the day before), where the day, week or month changes. */
const MOMENTS = [
  '2026-09-28T02:00:00Z',
  '2026-09-30T16:59:59.999Z',
  '2026-09-30T17:00:00Z',
  '2026-09-30T23:30:00Z',
  '2026-10-04T16:59:59.999Z',
  '2026-10-04T17:00:00Z',
  '2026-10-31T18:00:00Z',
  '2026-11-02T03:00:00.001Z',
];

/** A run as its recorded states, the latest last. */
const run = fc
  .record({
    ts: fc.constantFrom(...MOMENTS).map((text) => new Date(text)),
    channel: fc.constantFrom('api', 'scheduled'),
    actor: fc.constantFrom('key_a', 'sch_1'),
    api_key_id: fc.constantFrom('key_a', 'key_b'),
    end_user: fc.constantFrom('', 'ani', 'budi', 'citra'),
    model_id: fc.constantFrom('recovery_v4', 'confluence_filter'),
    status: fc.constantFrom('started', 'succeeded', 'succeeded', 'failed', 'interrupted'),
    milliseconds: fc.nat(20_000),
    tickers: fc.array(fc.constantFrom('BBCA', 'TLKM', 'ADRO'), { maxLength: 4 }),
    // Undefined in events of an earlier version.
    dataset: fc.constantFrom('real-20260925-1', 'synthetic-20260925-1', undefined),
    error_code: fc.constantFrom('timeout', 'interrupted', undefined),
  })
  .map(({ status, milliseconds, tickers, dataset, error_code, ...drawn }) => {
    const started = usageEvent(drawn);
    if (status === 'started') return [started];
    const summary = { pick_count: tickers.length, tickers, target_date: '2026-09-25' };
    const read = { dataset_version: dataset, dataset_kind: dataset?.split('-')[0] };
    const ended = { ...started, ...read, status, duration_seconds: milliseconds / 1_000 };
    return [started, status === 'succeeded' ? { ...ended, summary } : { ...ended, error_code }];
  });

/** How the states arrive: each up to three times, in any order, in several inserts, with or without a merge after each. */
const arrival = fc.record({
  copies: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 7 }),
  order: fc.array(fc.nat(1_000), { minLength: 1, maxLength: 101 }),
  merges: fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }),
});
type Arrival = ReturnType<typeof arrival.generate>['value'];

function batchesOf(runs: UsageRecorded[][], { copies, order, merges }: Arrival): UsageRecorded[][] {
  const states = runs
    .flat()
    .flatMap((state, index) => Array.from({ length: copies[index % copies.length]! }, () => state));
  const shuffled = states
    .map((state, index) => ({ state, place: (order[index % order.length]! * (index + 1)) % 997 }))
    .sort((a, b) => a.place - b.place);
  const size = Math.ceil(shuffled.length / merges.length);
  return merges.map((_, batch) => shuffled.slice(batch * size, (batch + 1) * size).map(({ state }) => state));
}

async function record(runs: UsageRecorded[][], how: Arrival): Promise<void> {
  await command('TRUNCATE TABLE usage.event');
  for (const [index, batch] of batchesOf(runs, how).entries()) {
    await insertUsage(own.sql, batch);
    if (how.merges[index]) await merge();
  }
}

async function merge(): Promise<void> {
  await command('SYSTEM START MERGES usage.event');
  await command('OPTIMIZE TABLE usage.event FINAL');
  await command('SYSTEM STOP MERGES usage.event');
}

/** Rows in sorted order with sorted fields. Numbers are rounded, because sums depend on the order of addition. */
function comparable(rows: Record<string, unknown>[]): string[] {
  const rounded = (_: string, value: unknown) =>
    typeof value === 'number' ? Number(value.toPrecision(12)) : value;
  return rows.map((row) => JSON.stringify(Object.fromEntries(Object.entries(row).sort()), rounded)).sort();
}

const VIEWS = READABLE.filter((name) => name.startsWith('usage.'));

test('every view equals plain loops over the runs, in whatever order their states arrive', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(run, { maxLength: 120, size: 'max' }), arrival, async (runs, how) => {
      await record(runs, how);
      const plain = plainViews(runs.map((states) => states.at(-1)!));
      for (const view of VIEWS) {
        const reported = await own.rows(`SELECT * FROM ${view}`);
        expect(comparable(reported), view).toEqual(comparable(plain[view.replace('usage.', '')]!));
      }
    }),
    // After the time limit, a failure is reported with the smallest case found so far.
    { numRuns: 6, interruptAfterTimeLimit: 20_000 },
  );
});

test('no condition or setting inside a query reveals a replaced state', async () => {
  const started = Array.from({ length: 200 }, () => usageEvent());
  await command('TRUNCATE TABLE usage.event');
  await insertUsage(own.sql, started);
  await insertUsage(
    own.sql,
    started.map((event) => ({ ...event, status: 'failed', duration_seconds: 1 })),
  );
  const settings = [
    'final = 0',
    'optimize_move_to_prewhere_if_final = 1',
    'apply_prewhere_after_final = 0',
    'use_skip_indexes_if_final_exact_mode = 0',
    'do_not_merge_across_partitions_select_final = 0',
  ].join(', ');
  for (const view of ['usage.run_v1', 'usage.run_v2', 'usage.run_v3']) {
    for (const condition of [`status = 'started'`, 'duration_seconds = 0']) {
      const inner = `SELECT event_id FROM ${view} WHERE ${condition} SETTINGS ${settings}`;
      expect(await own.rows(`SELECT count() AS n FROM (${inner})`), inner).toEqual([{ n: 0 }]);
    }
    const inner = `SELECT event_id FROM ${view} SETTINGS ${settings}`;
    expect(await own.rows(`SELECT count() AS n FROM (${inner})`), inner).toEqual([{ n: 200 }]);
  }
});

test('every view and column has a description that analysts can read', async () => {
  const tables = await own.rows<{ name: string; comment: string }>(
    `SELECT name, comment FROM system.tables WHERE database = 'usage' ORDER BY name`,
  );
  expect(tables.map(({ name }) => `usage.${name}`)).toEqual(VIEWS.toSorted());
  for (const { name, comment } of tables) expect(comment, name).toMatch(/\.$/);
  const silent = await own.rows(
    `SELECT table, name FROM system.columns WHERE database = 'usage' AND comment = ''`,
  );
  expect(silent).toEqual([]);
});

test('repeated migrations leave every view unchanged', async () => {
  const definitions = () =>
    own.rows(`SELECT name, create_table_query FROM system.tables WHERE database = 'usage' ORDER BY name`);
  const before = await definitions();
  await command('TRUNCATE TABLE usage.schema_migration');
  await migrateClickHouse(own.sql, 'usage', migrations);
  expect(await definitions()).toEqual(before);
});

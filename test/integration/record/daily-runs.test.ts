import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { DailyRuns } from '#services/models/record/daily-runs.ts';
import type { ServedVersion } from '#services/models/record/served-market.ts';
import type { RunRow } from '#services/models/store/tables.ts';
import { createLogger } from '#shared/logger.ts';
import { emptyRecord } from '#support/fleets/record.ts';
import { testRuns } from '#support/services/test-runs.ts';

const own = testRuns();
const log = createLogger('test', 'silent');
const LAST_DATE = '2026-09-30';
const VERSION: ServedVersion = {
  version: 'synthetic-20260930-1',
  kind: 'synthetic',
  last_date: LAST_DATE,
  broker_data: 'synthetic',
};
const MODELS = [
  'confluence_filter',
  'gann_classic_v7',
  'gross_alpha_v10',
  'model_f_combined',
  'regime_adaptive_v6',
];

const runs = async () =>
  own.database
    .selectFrom('run')
    .selectAll()
    .where('api_key_id', '=', 'operator')
    .orderBy('model_id')
    .execute();
const record = () => own.parts.record;

/** The daily runs of one copy of the service. */
function daily(
  change: {
    served?: ServedVersion;
    pin?: string;
    today?: string;
    settleMs?: number;
    maxWaitMs?: number;
  } = {},
) {
  const { served = VERSION, pin = '', today = '2026-11-20', settleMs = 0, maxWaitMs } = change;
  const newest = (date: string) => own.tradingDays.findLast((day) => day <= date);
  const tradingDays = { onOrBefore: newest, newestLearnt: newest };
  return new DailyRuns({
    runs: own.runs,
    store: own.store,
    record: record(),
    served: () => served,
    log,
    settleMs,
    ...(maxWaitMs !== undefined && { maxWaitMs }),
    dates: { clock: () => new Date(`${today}T03:00:00Z`), pin, tradingDays },
  });
}

/** Ends every submitted run with this status until the copy submits no more. */
async function allOf(copy: DailyRuns, status: RunRow['status'] = 'succeeded'): Promise<void> {
  let made: number;
  do {
    made = (await runs()).length;
    for (const run of (await runs()).filter((one) => one.status === 'queued')) {
      await own.reportEnd(run, status);
      await expect.poll(async () => (await own.store.withIds([run.job_id]))[0]!.status).toBe(status);
    }
    await copy.poll();
  } while ((await runs()).length > made);
}

beforeEach(async () => {
  own.tradingDays = ['2026-09-29', LAST_DATE];
  await emptyRecord(own.database);
  await own.database.deleteFrom('run').execute();
  await own.database.deleteFrom('idempotency_key').execute();
});

test('each model that needs only the market runs once with its defaults, one after another', async () => {
  const copy = daily();
  await copy.poll();
  expect(await runs()).toHaveLength(1);
  await copy.poll();
  expect(await runs()).toHaveLength(1);
  await allOf(copy);
  expect((await runs()).map(({ model_id }) => model_id)).toEqual(MODELS);
  for (const run of await runs())
    expect(run).toMatchObject({ channel: 'daily', trading_day: LAST_DATE, target_date: LAST_DATE });
});

test('a restart or other copies of the service start no second daily run', async () => {
  const copies = [daily(), daily(), daily()];
  await Promise.all(copies.map((copy) => copy.poll()));
  expect(await runs()).toHaveLength(1);
  await allOf(daily());
  await Promise.all([daily(), daily()].map((copy) => allOf(copy)));
  expect((await runs()).map(({ model_id }) => model_id)).toEqual(MODELS);
});

test('a recorded run whose row is gone is not repeated, while another kind of market has its own', async () => {
  await allOf(daily());
  const [first] = await runs();
  const picks = { as_of: LAST_DATE, last_date: LAST_DATE, dataset_kind: 'synthetic', regime: 'BULL' };
  const levels = { target_gain: 0.1, stop_loss: 0.05, horizon_days: 20, min_price: 1, min_daily_val: 1 };
  await own.database
    .transaction()
    .execute((db) => record().appendRun(db, first!, { ...picks, ...levels, picks: [] }));
  await own.database.deleteFrom('run').execute();
  await own.database.deleteFrom('idempotency_key').execute();
  await allOf(daily());
  expect((await runs()).map(({ model_id }) => model_id)).toEqual(MODELS.slice(1));
  await allOf(daily({ served: { ...VERSION, version: 'real-20260930-1', kind: 'real' } }));
  expect((await runs()).filter(({ end_user }) => end_user === 'daily-real')).toHaveLength(MODELS.length);
});

test('a failed daily run is retried, up to three attempts', async () => {
  await allOf(daily(), 'failed');
  const attempts = (await runs()).map(({ model_id }) => model_id);
  expect(attempts).toEqual(MODELS.flatMap((model) => [model, model, model]));
  await allOf(daily());
  expect(await runs()).toHaveLength(attempts.length);
});

test('daily runs wait while another run is pending or a version is new', async () => {
  const run = await own.accept();
  const copy = daily();
  await copy.poll();
  expect(await runs()).toEqual([]);
  await own.reportEnd(run, 'succeeded');
  await own.untilStatus(run, 'succeeded');
  await daily({ settleMs: 60_000 }).poll();
  expect(await runs()).toEqual([]);
  await copy.poll();
  expect(await runs()).toHaveLength(1);
});

test('with a queue that is never empty daily runs wait only for a while, then run one at a time', async () => {
  await own.accept();
  const copy = daily({ maxWaitMs: 0 });
  for (let i = 0; i < 3; i++) await copy.poll();
  expect(await runs()).toHaveLength(1);
  const [first] = await runs();
  await own.reportEnd(first!, 'succeeded');
  await expect.poll(async () => (await own.store.withIds([first!.job_id]))[0]!.status).toBe('succeeded');
  await copy.poll();
  expect(await runs()).toHaveLength(2);
});

test('no daily run starts for a day that may still change or differs from today’s analysis day', async () => {
  const real = { ...VERSION, kind: 'real' };
  await daily({ served: real, today: LAST_DATE }).poll();
  await daily({ pin: '2026-09-29' }).poll();
  await daily({ today: '2026-09-29' }).poll();
  expect(await runs()).toEqual([]);
  await daily({ served: real, today: '2026-10-01' }).poll();
  expect(await runs()).toHaveLength(1);
});

test('a model that needs broker rows is skipped when there are none', async () => {
  await allOf(daily({ served: { ...VERSION, broker_data: 'none' } }));
  expect((await runs()).map(({ model_id }) => model_id)).not.toContain('gross_alpha_v10');
});

test('daily runs never reach the usage stream, and count as settled there', async () => {
  await allOf(daily());
  const rows = await runs();
  await expect
    .poll(async () => (await runs()).map(({ usage_due, usage_published }) => usage_due === usage_published))
    .toEqual(rows.map(() => true));
  for (const run of rows) expect(await own.usageOf(run)).toEqual([]);
  const span = { since: undefined, settledBefore: new Date(Date.now() + 60_000), after: undefined };
  expect(await own.store.recorded(span, 100)).toEqual([]);
});

test('a tenant cannot submit as the operator', async () => {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from run`.execute(own.database);
  const { requireTenant } = await import('#services/models/runs.ts');
  expect(() => requireTenant({ api_key_id: 'operator' })).toThrow(
    expect.objectContaining({ code: 'invalid_request' }),
  );
  expect(() => requireTenant({ api_key_id: 'key_0123456789abcdef01234567' })).not.toThrow();
  expect(rows[0]!.n).toBe(0);
});

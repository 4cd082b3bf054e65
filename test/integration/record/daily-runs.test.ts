import { beforeEach, describe, expect, test } from 'vitest';
import type { StoreModelResultRequest } from '#proto/saring/market_data/v1/model_results.ts';
import { MODELS } from '#models/registry.ts';
import { DailyResults } from '#services/models/daily-runs/daily-results.ts';
import { DailyRuns } from '#services/models/daily-runs/daily-runs.ts';
import type { ServedVersion } from '#services/models/record/served-market.ts';
import { requireTenant } from '#services/models/runs/runs.ts';
import type { RunRow } from '#services/models/store/tables.ts';
import { createLogger } from '#platform/operations/logger.ts';
import { emptyRecord, recordedPicks } from '#support/services/record.ts';
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
/** As the rows are ordered. */
const PICKING = MODELS.filter(({ picks }) => picks)
  .map(({ id }) => id)
  .toSorted();

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
  const tradingDays = { onOrBefore: newest, newestTrained: newest, areKnownWithin: async () => true };
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
  expect((await runs()).map(({ model_id }) => model_id)).toEqual(PICKING);
  for (const run of await runs())
    expect(run).toMatchObject({ channel: 'daily', trading_day: LAST_DATE, target_date: LAST_DATE });
});

test('a restart or other copies of the service start no second daily run', async () => {
  const copies = [daily(), daily(), daily()];
  await Promise.all(copies.map((copy) => copy.poll()));
  expect(await runs()).toHaveLength(1);
  await allOf(daily());
  await Promise.all([daily(), daily()].map((copy) => allOf(copy)));
  expect((await runs()).map(({ model_id }) => model_id)).toEqual(PICKING);
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
  expect((await runs()).map(({ model_id }) => model_id)).toEqual(PICKING.slice(1));
  await allOf(daily({ served: { ...VERSION, version: 'real-20260930-1', kind: 'real' } }));
  expect((await runs()).filter(({ end_user }) => end_user === 'daily-real')).toHaveLength(PICKING.length);
});

test('a failed daily run is retried, up to three attempts', async () => {
  await allOf(daily(), 'failed');
  const attempts = (await runs()).map(({ model_id }) => model_id);
  expect(attempts).toEqual(PICKING.flatMap((model) => [model, model, model]));
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

describe('the result of a daily run', () => {
  const SCORES = [
    { ticker: 'BBCA', probability: 71.5, rank: 1, picked: true },
    { ticker: 'BBRI', probability: 44, picked: false },
  ];
  const ofDay = recordedPicks([]);
  const held = () => own.parts.dailyResults.oldest(10);
  const stored: StoreModelResultRequest[] = [];
  let isUnavailable = false;
  const market = {
    storeResult: async (result: StoreModelResultRequest) => {
      if (isUnavailable) throw new Error('market-data is unavailable');
      stored.push(result);
    },
  };
  const copy = () => new DailyResults({ dailyResults: own.parts.dailyResults, market });
  const handOver = (by = copy()) => by.poll(new AbortController().signal);
  const end = async (run: RunRow, change: object = { scores: SCORES }) => {
    await own.reportEnd(run, 'succeeded', ofDay, { dataset_version: VERSION.version, ...change });
    await expect.poll(async () => (await own.store.withIds([run.job_id]))[0]!.status).toBe('succeeded');
  };
  const submitted = async (): Promise<RunRow> => {
    await daily().poll();
    return (await runs()).find(({ status }) => status === 'queued')!;
  };
  beforeEach(async () => {
    await own.database.deleteFrom('daily_result').execute();
    [stored.length, isUnavailable] = [0, false];
  });

  test('is asked for, held from the end of the run, and handed over as soon as market-data takes it', async () => {
    const run = await submitted();
    expect(await own.requestsOf(run)).toMatchObject([{ reports_scores: true }]);
    await end(run);
    isUnavailable = true;
    await expect(handOver()).rejects.toThrow('market-data is unavailable');
    expect(await held()).toHaveLength(1);
    isUnavailable = false;
    await handOver();
    const { job_id, model_id } = run;
    const of = { job_id, model_id, as_of: LAST_DATE, dataset_kind: 'synthetic' };
    expect(stored).toMatchObject([{ ...of, dataset_version: VERSION.version, stocks: SCORES }]);
    await handOver();
    expect([stored.length, await held()]).toEqual([1, []]);
  });

  test('is handed over again by a copy that takes over before it was known to be stored, and one refusal holds up no other', async () => {
    const first = await submitted();
    await end(first);
    const forgetful = new DailyResults({
      market,
      dailyResults: { oldest: held, release: () => Promise.reject(new Error('killed')) },
    });
    await expect(handOver(forgetful)).rejects.toThrow('killed');
    await handOver();
    expect(stored.map(({ job_id }) => job_id)).toEqual([first.job_id, first.job_id]);
    expect(await held()).toEqual([]);

    const request = Buffer.from([0xff]);
    await own.database.insertInto('daily_result').values({ job_id: 'job_0', request, ended_at: new Date(0) }).execute(); // prettier-ignore
    const second = await submitted();
    await end(second);
    await expect(handOver()).rejects.toThrow();
    expect(stored.at(-1)).toMatchObject({ job_id: second.job_id });
    expect((await held()).map(({ job_id }) => job_id)).toEqual(['job_0']);
  });

  test('is none of a user’s run, whatever its worker reports, nor of one that failed', async () => {
    const run = await own.accept();
    expect(await own.requestsOf(run)).toMatchObject([{ reports_scores: false }]);
    await end(run);
    const failed = await submitted();
    await own.reportEnd(failed, 'failed', undefined, { scores: SCORES });
    await expect.poll(async () => (await own.store.withIds([failed.job_id]))[0]!.status).toBe('failed');
    expect(await held()).toEqual([]);
  });

  test('has no stocks where the run scored none, so that nobody waits for more', async () => {
    await end(await submitted(), {});
    await handOver();
    expect(stored).toMatchObject([{ as_of: LAST_DATE, stocks: [] }]);
  });
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

test('a tenant cannot submit as the operator', () => {
  expect(() => requireTenant({ api_key_id: 'operator' })).toThrow(
    expect.objectContaining({ code: 'invalid_request' }),
  );
  expect(() => requireTenant({ api_key_id: 'key_0123456789abcdef01234567' })).not.toThrow();
});

import { beforeEach, expect, test } from 'vitest';
import { Canary, CanaryResults } from '#services/models/health/canary.ts';
import type { ServedVersion } from '#services/models/record/served-market.ts';
import type { RunFilter } from '#services/models/store/run-store.ts';
import { metricsOf } from '#platform/operations/metrics.ts';
import { CANARY } from '#shared/runs/operator-runs.ts';
import { MODELS } from '#models/registry.ts';
import type { RunRow } from '#services/models/store/tables.ts';
import { createLogger } from '#platform/operations/logger.ts';
import { testRuns } from '#support/services/test-runs.ts';

const own = testRuns();
const log = createLogger('test', 'silent');
const LAST_DATE = '2026-09-30';
const RECORDED = {
  as_of: LAST_DATE,
  last_date: LAST_DATE,
  dataset_kind: 'synthetic',
  regime: 'BULL',
  target_gain: 0.1,
  stop_loss: 0.05,
  horizon_days: 20,
  min_price: 1,
  min_daily_val: 1,
  picks: [],
};
const never = new AbortController().signal;

let nowSeconds = 0;
const served: ServedVersion = {
  version: 'synthetic-20260930-1',
  kind: 'synthetic',
  last_date: LAST_DATE,
  broker_data: 'synthetic',
};

/** Ids of models that lack data in the served dataset. */
const lacking = new Set<string>();

/** The canaries of one copy of the service, one each second. */
function canary({ withinMs = 15_000, isServed = true } = {}): Canary & { results: CanaryResults } {
  const results = new CanaryResults();
  const copy = new Canary({
    results,
    lacksData: ({ id }) => lacking.has(id),
    runs: own.runs,
    live: own.parts.live,
    store: own.store,
    served: () => (isServed ? served : undefined),
    tickers: async () => ['BBCA', 'BBRI', 'TLKM'],
    clock: () => new Date(nowSeconds * 1_000),
    log,
    everySeconds: 1,
    withinMs,
  });
  return Object.assign(copy, { results });
}

const canaries = () =>
  own.database.selectFrom('run').selectAll().where('api_key_id', '=', CANARY.api_key_id).execute();

/** Ends the waiting canary as a worker would, with or without a result. */
async function endNext({ status = 'succeeded', isHeld = true } = {}): Promise<RunRow> {
  await expect.poll(async () => (await canaries()).filter((run) => run.status === 'queued')).toHaveLength(1);
  const run = (await canaries()).find((one) => one.status === 'queued')!;
  if (isHeld) await own.hold(run, '{}');
  await own.reportEnd(run, status, RECORDED);
  await own.untilReportsAreApplied();
  return run;
}

/** A turn of this copy, whose canary ends so. */
async function turnOf(copy: Canary, end: Parameters<typeof endNext>[0] = {}): Promise<RunRow> {
  const looking = copy.poll(never);
  const run = await endNext(end);
  await looking;
  return run;
}

beforeEach(async () => {
  nowSeconds += 86_400;
  await own.database.deleteFrom('run').execute();
});

test('each model gets its turn, and a completed canary leaves no result behind', async () => {
  const copy = canary();
  const models = new Set<string>();
  for (let turn = 0; turn < 6; turn++, nowSeconds++) {
    const run = await turnOf(copy);
    models.add(run.model_id);
    expect(await own.parts.live.find(run.job_id)).toBeUndefined();
  }
  expect(models.size).toBe(6);
  expect(() => copy.results.requireBack()).not.toThrow();
});

test('copies of the service share one canary run per turn', async () => {
  const copies = [canary(), canary()];
  const looking = Promise.all(copies.map((copy) => copy.poll(never)));
  await endNext();
  await looking;
  await copies[0]!.poll(never);
  expect(await canaries()).toHaveLength(1);
});

test('a canary is not recorded as usage, and its picks are not recorded', async () => {
  const users = await own.accept();
  await expect.poll(() => own.usageOf(users)).not.toEqual([]);
  await own.database.deleteFrom('run').where('job_id', '=', users.job_id).execute();
  const run = await turnOf(canary());
  await expect
    .poll(async () => (await canaries()).map((one) => one.usage_published === one.usage_due))
    .toEqual([true]);
  expect(await own.usageOf(run)).toEqual([]);
  const span = { since: undefined, settledBefore: new Date(Date.now() + 60_000), after: undefined };
  expect(await own.store.recorded(span, 100)).toEqual([]);
  expect(
    await own.parts.record.hasRun({
      model_id: run.model_id,
      api_key_id: CANARY.api_key_id,
      dataset_kind: RECORDED.dataset_kind,
      as_of: LAST_DATE,
    }),
  ).toBe(false);
  expect(await own.store.hasUnfinished()).toBe(false);
});

test('a canary that fails, has no result or does not return is reported', async () => {
  for (const [end, problem] of [
    [{ status: 'failed' }, 'The data is not complete yet.'],
    [{ isHeld: false }, 'its result is gone'],
  ] as const) {
    const copy = canary();
    const run = await turnOf(copy, end);
    expect(() => copy.results.requireBack()).toThrow(new RegExp(`${run.model_id}.*${problem}`));
    nowSeconds++;
  }
  const copy = canary({ withinMs: 300 });
  await copy.poll(never);
  expect(() => copy.results.requireBack()).toThrow(/still queued/);
  // The canary was cancelled, so that no second one queues behind it.
  expect((await canaries()).filter(({ status }) => status === 'queued')).toEqual([]);
});

test('once a canary comes back, models whose last one failed get another at once and count as restored', async () => {
  const copy = canary();
  const lost: string[] = [];
  for (let turn = 0; turn < 2; turn++, nowSeconds++) {
    lost.push((await turnOf(copy, { status: 'failed' })).model_id);
  }
  for (const model of lost) expect(() => copy.results.requireBack()).toThrow(model);
  const looking = copy.poll(never);
  const models = [await endNext(), await endNext(), await endNext()].map(({ model_id }) => model_id);
  await looking;
  expect(models.slice(1).toSorted()).toEqual(lost.toSorted());
  expect(() => copy.results.requireBack()).not.toThrow();
});

test('a model that is still lost does not keep the other models from their turns', async () => {
  const copy = canary();
  const { model_id: lost } = await turnOf(copy, { status: 'failed' });
  for (let turn = 1; turn < 6; turn++) {
    nowSeconds++;
    const next = copy.poll(never);
    expect((await endNext()).model_id).not.toBe(lost);
    expect((await endNext({ status: 'failed' })).model_id).toBe(lost);
    await next;
  }
  expect(() => copy.results.requireBack()).toThrow(new RegExp(`^did not come back: ${lost} [^,]*$`));
});

test('a model that lacks data gets no canary, and is not shown as lost', async () => {
  const copy = canary();
  const { model_id } = await turnOf(copy, { status: 'failed' });
  expect(() => copy.results.requireBack()).toThrow(model_id);
  const failures = () => metricsOf('models').getSingleMetricAsString('saring_canary_failures_in_a_row');
  expect(await failures()).toContain(model_id);
  lacking.add(model_id);
  for (let turn = 1; turn < MODELS.length; turn++) {
    nowSeconds++;
    expect((await turnOf(copy)).model_id).not.toBe(model_id);
    expect(() => copy.results.requireBack()).not.toThrow();
    expect(await failures()).not.toContain(model_id);
  }
  for (const { id } of MODELS) lacking.add(id);
  nowSeconds++;
  const before = await canaries();
  await copy.poll(never);
  expect(await canaries()).toHaveLength(before.length);
  lacking.clear();
});

test('health says why the last canary of a model failed, until another dataset is served', async () => {
  const copy = canary();
  const { model_id } = await turnOf(copy, { status: 'failed' });
  const failure = copy.results.failureOf(model_id);
  expect(failure).toEqual({ id: expect.any(String) as string, en: 'The data is not complete yet.' });
  const { version } = served;
  served.version = 'synthetic-20260930-2';
  nowSeconds++;
  await turnOf(copy, { isHeld: false });
  served.version = version;
  expect(copy.results.failureOf(model_id)).toBeUndefined();
  for (const { id } of MODELS) expect(copy.results.failureOf(id)).toBeUndefined();
});

test('lists of runs leave canaries out, unless they name one or their owner', async () => {
  const users = await own.accept();
  const { job_id } = await turnOf(canary());
  const listed = async (filter: RunFilter) =>
    (await own.runs.ofEveryKey(filter, 10)).map((run) => run.job_id);
  expect(await listed({})).toEqual([users.job_id]);
  expect(await listed({ status: 'succeeded' })).toEqual([]);
  expect(await listed({ job_id })).toEqual([job_id]);
  expect(await listed({ api_key_id: CANARY.api_key_id })).toEqual([job_id]);
});

test('without a dataset no canary is sent, as that has its own alert', async () => {
  await canary({ withinMs: 300, isServed: false }).poll(never);
  expect(await canaries()).toEqual([]);
});

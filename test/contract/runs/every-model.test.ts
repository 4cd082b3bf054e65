import { beforeAll, describe, expect, inject, test } from 'vitest';
import { resultOf, type AnyModelId, type FinishedJob, type ViewOf } from '#client/index.ts';
import { MODELS } from '#models/registry.ts';
import { ownTenant } from '#support/fleets/contract.ts';
import { DeclaredResults } from '#support/declared-results.ts';
import { errorCode, Rest } from '#support/rest/rest.ts';

const tenant = ownTenant();

/** Loose enough for the sample market to have picks. */
const LOOSE = { min_price: 100, min_daily_val: 100_000_000, min_probability: 40, min_signals: 1 };

const floors = 'min_abs_val=0&min_price=50&min_daily_val=100000000';
const { body: flows } = await new Rest(inject('baseUrl'), inject('demoKey')).get<{
  inflow: { ticker: string }[];
}>(`/api/v1/data/flows?${floors}&top_n=3`);
const tickers = flows.inflow.map(({ ticker }) => ticker);
const RUNS = MODELS.flatMap(({ id, examples }) =>
  examples(tickers).map(({ view = 'full', params }) => [id, view, params] as const),
);
const WITHOUT_COMPACT_VIEW = MODELS.filter(({ views }) => !views.includes('compact'));

let declared: DeclaredResults;
beforeAll(async () => {
  declared = await DeclaredResults.of(tenant.rest);
});

const INPUTS = [{ pnl_input: -12.5 }, { avg_price_input: 100 }, { pnl_input: 0 }];
const positions = tickers.map((ticker, i) => ({ ticker, ...INPUTS[i] }));

/** Leaves out the run's timings and the origin of its model. */
const withoutOwnCourse = (name: string, value: unknown) =>
  name === 'timings_ms' || name === 'origin' ? undefined : value;

async function run<M extends AnyModelId, V extends ViewOf<M>>(model: M, view: V, params: object) {
  const all = model === 'recovery_v4' ? { positions, ...params } : { ...params };
  const job = await tenant.client.runAndWait<M, V>(model, { params: all, view });
  expect(job, JSON.stringify(job.error)).toMatchObject({ status: 'succeeded', result_available: true });
  return { job, result: resultOf(job) };
}

describe.each(RUNS)('%s in %s view with %j', (model, view, params) => {
  let job: FinishedJob<AnyModelId>;
  let result: Record<string, unknown>;
  beforeAll(async () => {
    ({ job, result } = await run(model, view, params));
  });

  test('gives a result that matches its schema and the day of its job', () => {
    expect(declared.faults(result)).toEqual([]);
    expect(declared.freeForm(result)).toEqual([]);
    expect(job.params).toMatchObject({ ...params, analysis_date: result['as_of'] });
    expect(job.summary).toMatchObject({ target_date: result['as_of'] });
  });

  test('gives the same bytes again, apart from timings and origin', async () => {
    const again = (await run(model, view, params)).result;
    expect(JSON.stringify(again, withoutOwnCourse)).toBe(JSON.stringify(result, withoutOwnCourse));
  });

  test('explains an empty result, and only an empty one', () => {
    const count = result['pick_count'] ?? (result['positions'] as object[]).length;
    expect(job.summary!.pick_count).toBe(count);
    expect('empty' in result).toBe(count === 0);
  });
});

test.each(WITHOUT_COMPACT_VIEW)('$id has no compact view', async ({ id }) => {
  const path = `/api/v1/models/${id}/runs?view=compact`;
  const response = await tenant.rest.post(path, {}, { endUser: 'alice' });
  expect([response.status, errorCode(response)]).toEqual([422, 'invalid_request']);
});

test('the compact and full views of model_f_combined show the same picks, levels and quality', async () => {
  const { result: full } = await run('model_f_combined', 'full', LOOSE);
  const { result: compact } = await run('model_f_combined', 'compact', LOOSE);
  const { df_result: rows } = full;
  expect(rows.length).toBeGreaterThan(0);
  expect(
    compact.picks.map(({ ticker, close, stop, target, signals }) => [ticker, close, stop, target, signals]),
  ).toEqual(rows.map(({ Ticker, Entry, Stop, Target, Signals }) => [Ticker, Entry, Stop, Target, Signals]));
  for (const { close, stop, target } of compact.picks) {
    expect(stop).toBeCloseTo(close * (1 - 0.05));
    expect(target).toBeCloseTo(close * (1 + 0.1));
  }
  for (const member of ['levels', 'model_quality', 'pick_count', 'as_of'] as const) {
    expect(compact[member], member).toEqual(full[member]);
  }
});

test('the compact and full views of recovery_v4 show the same positions', async () => {
  const { result: full } = await run('recovery_v4', 'full', {});
  const { result: compact } = await run('recovery_v4', 'compact', {});
  expect(
    full.df_result.map(({ Ticker, Outlook, Bucket, Reason }) => [Ticker, Outlook, Bucket, Reason]),
  ).toEqual(
    compact.positions.map(({ ticker, outlook, bucket, reason }) => [ticker, outlook, bucket, reason]),
  );
  expect(compact.summary).toEqual(full.summary);
});

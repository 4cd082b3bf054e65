import { beforeAll, describe, expect, test } from 'vitest';
import { resultOf, type AnyModelId, type FinishedJob, type ViewOf } from '#gateway/client/index.ts';
import { ownTenant } from '#support/contract.ts';
import { DeclaredResults } from '#support/declared-results.ts';
import { errorCode } from '#support/rest.ts';

const tenant = ownTenant();

/** Loose enough that the sample market has picks for most of them. */
const LOOSE = { min_price: 100, min_daily_val: 100_000_000, min_probability: 40 };
const LOOSE_SIGNALS = { ...LOOSE, min_signals: 1 };
const RUNS: [model: string, view: 'full' | 'compact', params: object][] = [
  ['regime_adaptive_v6', 'full', LOOSE],
  ['gann_classic_v7', 'full', { ...LOOSE, min_cycle_score: 20 }],
  ['gann_classic_v7', 'full', { min_cycle_score: 20, use_ml: false }],
  ['gross_alpha_v10', 'full', LOOSE],
  ['confluence_filter', 'full', { min_signals: 1 }],
  ['recovery_v4', 'full', {}],
  ['recovery_v4', 'compact', { horizon: 10 }],
  ['model_f_combined', 'full', LOOSE_SIGNALS],
  ['model_f_combined', 'full', { ...LOOSE_SIGNALS, strategy: 'Compare All' }],
  ['model_f_combined', 'compact', LOOSE_SIGNALS],
  ['model_f_combined', 'compact', { min_probability: 100 }],
];

let declared: DeclaredResults;
/** Of stocks that were dealt in. */
let positions: object[];
beforeAll(async () => {
  declared = await DeclaredResults.of(tenant.rest);
  const floors = { min_abs_val: 0, min_price: 50, min_daily_val: 100_000_000 };
  const { inflow } = await tenant.client.data.flows({ ...floors, top_n: 3 });
  const inputs = [{ pnl_input: -12.5 }, { avg_price_input: 100 }, { pnl_input: 0 }];
  positions = inflow.map(({ ticker }, i) => ({ ticker, ...inputs[i] }));
});

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

  test('gives a result as it is declared, of the day that the job names', () => {
    expect(declared.faults(result)).toEqual([]);
    expect(declared.freeForm(result)).toEqual([]);
    expect(job.params).toMatchObject({ ...params, analysis_date: result['as_of'] });
    expect(job.summary).toMatchObject({ target_date: result['as_of'] });
  });

  test('gives the same result again, byte for byte', async () => {
    expect(JSON.stringify((await run(model, view, params)).result)).toBe(JSON.stringify(result));
  });

  test('says nothing with no picks but why, and with picks nothing of it', () => {
    const count = result['pick_count'] ?? (result['positions'] as object[]).length;
    expect(job.summary!.pick_count).toBe(count);
    expect('empty' in result).toBe(count === 0);
  });
});

test.each(['regime_adaptive_v6', 'gann_classic_v7', 'gross_alpha_v10', 'confluence_filter'])(
  '%s has no compact view',
  async (model) => {
    const path = `/api/v1/models/${model}/runs?view=compact`;
    const answer = await tenant.rest.post(path, {}, { endUser: 'alice' });
    expect([answer.status, errorCode(answer)]).toEqual([422, 'invalid_request']);
  },
);

test('compact and full view of model_f_combined tell the same picks, levels and quality', async () => {
  const { result: full } = await run('model_f_combined', 'full', LOOSE_SIGNALS);
  const { result: compact } = await run('model_f_combined', 'compact', LOOSE_SIGNALS);
  const { df_result: rows } = full;
  expect(rows.length).toBeGreaterThan(0);
  expect(
    compact.picks.map(({ ticker, close, stop, target, signals }) => [ticker, close, stop, target, signals]),
  ).toEqual(rows.map(({ Ticker, Entry, Stop, Target, Signals }) => [Ticker, Entry, Stop, Target, Signals]));
  for (const { close, stop, target } of compact.picks) {
    expect([stop, target]).toEqual([close * (1 - 0.05), close * (1 + 0.1)]);
  }
  for (const member of ['levels', 'model_quality', 'pick_count', 'as_of'] as const) {
    expect(compact[member], member).toEqual(full[member]);
  }
});

test('compact and full view of recovery_v4 tell the same positions', async () => {
  const { result: full } = await run('recovery_v4', 'full', {});
  const { result: compact } = await run('recovery_v4', 'compact', {});
  expect(
    full.df_result.map(({ Ticker, Outlook, Bucket, Reason }) => [Ticker, Outlook, Bucket, Reason]),
  ).toEqual(
    compact.positions.map(({ ticker, outlook, bucket, reason }) => [ticker, outlook, bucket, reason]),
  );
  expect(compact.summary).toEqual(full.summary);
});

test('recovery_v4 without positions fails and says so, which is no HTTP error', async () => {
  const job = await tenant.client.runAndWait('recovery_v4');
  expect(job).toMatchObject({
    status: 'failed',
    error: { message: expect.stringMatching(/^Belum ada posisi yang dimasukkan/) as string },
  });
});

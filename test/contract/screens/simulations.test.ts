import { beforeAll, describe, expect, test } from 'vitest';
import type { Schemas } from '#client/index.ts';
import { yearsBefore } from '#shared/market/past-span.ts';
import { savedScreen, simulationOf } from '#support/declared-api/request-parts.ts';
import { newTenant, ownTenant } from '#support/fleets/contract.ts';
import { pollUntilFinal, type JobBody } from '#support/rest/jobs.ts';
import { errorCode } from '#support/rest/rest.ts';

const tenant = ownTenant();
const ALICE = { endUser: 'alice' };
const MONEY = 100_000_000;

let day: string;
let screen_id: string;
beforeAll(async () => {
  await savedScreen(tenant.rest, 'tester');
  const overview = await tenant.rest.get<{ date: string }>('/api/v1/data/market-overview');
  day = overview.body.date;
  const rules = 'is_liquid and rsi_14 < 60 sort by value_idr desc';
  ({ screen_id } = await tenant.client.screens.create({ name: 'simulated', rules, ...ALICE }));
});

const submitted = (changes: object = {}, options: object = ALICE) =>
  tenant.rest.post<JobBody>(
    '/api/v1/simulations',
    { ...simulationOf({ screen_id, day }), ...changes },
    options,
  );

type Result = Schemas['SimulationResult'];

/** The result of a simulation that is submitted now. */
async function resultOf(changes: object = {}): Promise<{ job: JobBody; result: Result }> {
  const { status, body } = await submitted(changes);
  expect(status).toBe(202);
  const job = await pollUntilFinal(tenant.rest, body.job_id);
  expect(job).toMatchObject({ status: 'succeeded', kind: 'simulation' });
  return { job, result: job.result as unknown as Result };
}

describe('a simulation of a screen', () => {
  test('is a job beside those of models, whose result has equity, trades and comparisons', async () => {
    const { job, result } = await resultOf();
    expect(job).toMatchObject({ target: screen_id, end_user: 'alice', view: 'full' });
    expect(job['params']).toMatchObject({
      screen_id,
      capital_idr: MONEY,
      max_positions: 10,
      position_pct: 10,
    });
    expect(job['params']).not.toHaveProperty('picks');
    expect(job['summary']).toMatchObject({ pick_count: 0, target_date: result.to });
    expect(result).toMatchObject({ to: day, verdict: expect.stringMatching(/shown|worse/) as string });
    expect(result.from >= yearsBefore(day, 1)).toBe(true);
    expect(result.days.equity_idr[0]).toBe(MONEY);
    expect(result.days.equity_idr.at(-1)).toBe(result.end_idr);
    expect(result.trade_count).toBeGreaterThan(20);
    expect(result.comparisons.random.draws).toBe(500);
    const { body } = await tenant.rest.get<{ jobs: JobBody[] }>('/api/v1/jobs');
    expect(body.jobs.map(({ job_id }) => job_id)).toContain(job.job_id);
  });

  test('comes to the same when it is submitted again, and counts as one trial', async () => {
    const [first, second] = [await resultOf({ max_positions: 4 }), await resultOf({ max_positions: 4 })];
    const { days, trials } = first.result;
    expect(second.result).toMatchObject({ days, trials });
    const other = await resultOf({ max_positions: 4, rebalance: 'daily' });
    expect(other.result.trials.count).toBe(trials.count + 1);
  });

  test.each([
    ['capital_idr', 999_999, 'from 1000000 to'],
    ['max_positions', 51, 'from 1 to 50'],
    ['max_volume_pct', 0, 'from 0.1 to 100'],
    ['rebalance', 'monthly', 'daily'],
    ['from', '1999-01-04', 'at most 5 years'],
    ['model_id', 'model_f_combined', 'must be left out'],
  ])('with a wrong %s is refused, and told what is allowed', async (name, value, says) => {
    const { status, body } = await submitted({ [name]: value });
    expect(status).toBe(422);
    const { detail } = body as unknown as { detail: { loc: string[]; msg: string }[] };
    expect(detail[0]!.loc).toEqual(['body', name]);
    expect(detail[0]!.msg).toContain(says);
  });

  test('is refused to another key', async () => {
    const stranger = await newTenant();
    const body = simulationOf({ screen_id, day });
    expect(errorCode(await stranger.rest.post('/api/v1/simulations', body, ALICE))).toBe('screen_not_found');
  });

  test('of nothing is refused, and told what can be followed', async () => {
    const { screen_id: _, ...nothing } = simulationOf({ screen_id, day });
    const { status, body } = await tenant.rest.post<JobBody>('/api/v1/simulations', nothing, ALICE);
    expect(status).toBe(422);
    expect(JSON.stringify(body)).toContain('must be sent, or model_id instead');
  });

  test('explains no stock and has no model', async () => {
    const { job } = await resultOf();
    for (const path of [`explain?ticker=BBCA`, 'model']) {
      const response = await tenant.rest.get(`/api/v1/jobs/${job.job_id}/${path}`, ALICE);
      expect([response.status, errorCode(response)]).toEqual([404, 'not_found']);
    }
  });
});

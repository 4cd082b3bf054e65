import { afterAll, beforeAll, describe, expect, inject } from 'vitest';
import { newTenant, ownTenant, testOfOwnFleet } from '#support/fleets/contract.ts';
import { fleetFileIn } from '#support/fleets/fleet.ts';
import { startSecondGateway, type SecondGateway } from '#support/fleets/second-gateway.ts';
import { tradingDays } from '#support/measuring/market-values.ts';
import { errorCode, Rest, type RestResponse } from '#support/rest/rest.ts';

const ALICE = { endUser: 'alice' };
const LEAST_MS = 5;
/** Of a key with thirty requests a minute: two days of a model that does not train. */
const LIMIT_MS = 300;
const DAY_MS = 150;

const tenant = ownTenant();
const ownTest = testOfOwnFleet('a gateway with its own settings');

interface Key {
  budget: { limit_ms: number; remaining_ms: number; resets_at: string };
}

const costOf = ({ headers }: RestResponse<unknown>) => Number(headers.get('x-cost') ?? NaN);
const remainingOf = ({ headers }: RestResponse<unknown>) => Number(headers.get('x-cost-remaining') ?? NaN);
const budgetOf = async (rest: Rest) => (await rest.get<Key>('/api/v1/key')).body.budget;
const BACKFILLS = '/api/v1/models/confluence_filter/backfills';

describe('what work costs', () => {
  ownTest(
    'every endpoint that works for a key says what it has charged, and the key what is left',
    async () => {
      const { rest } = tenant;
      const days = await tradingDays(rest, 30);
      const [to, from] = [days[0]!, days.at(-1)!];
      const saved = { name: 'costly', rules: 'close > sma_20' };
      const { screen_id } = (await rest.post<{ screen_id: string }>('/api/v1/screens', saved, ALICE)).body;
      const money = { capital_idr: 100_000_000, max_positions: 10 };
      const before = await budgetOf(rest);
      const answers = {
        preview: await rest.post('/api/v1/screens/preview', { rules: saved.rules }, ALICE),
        run: await rest.post(`/api/v1/screens/${screen_id}/run`, undefined, ALICE),
        values: await rest.get('/api/v1/fields/values?fields=close'),
        explained: await rest.get(`/api/v1/screens/${screen_id}/explain?ticker=BBCA`, ALICE),
        past: await rest.get(`/api/v1/screens/${screen_id}/past?from=2010-01-01&to=${from}`, ALICE),
        simulation: await rest.post('/api/v1/simulations', { screen_id, from, to, ...money }, ALICE),
        backfill: await rest.post(BACKFILLS, { from, to, step: 'week' }, ALICE),
      };
      const charged = Object.entries(answers).filter(([, { status }]) => status < 300);
      expect(charged.map(([name]) => name)).toEqual(
        expect.arrayContaining(['preview', 'run', 'values', 'simulation', 'backfill']),
      );
      for (const [name, answer] of charged) expect(costOf(answer), name).toBeGreaterThanOrEqual(LEAST_MS);
      for (const [name, answer] of Object.entries(answers))
        if (answer.status >= 400) expect([name, costOf(answer)]).toEqual([name, 0]);
      const total = charged.reduce((sum, [, answer]) => sum + costOf(answer), 0);
      expect(before.remaining_ms - (await budgetOf(rest)).remaining_ms).toBe(total);
      expect(costOf(answers.backfill)).toBeGreaterThan(DAY_MS);
    },
  );
});

describe('a key with a small budget', () => {
  let gateway: SecondGateway | undefined;
  beforeAll(async () => {
    if (inject('isDeployment')) return;
    const fleet = await fleetFileIn(inject('stateDir'));
    gateway = await startSecondGateway(fleet, { COST_PER_REQUEST_MS: '10' });
  });
  afterAll(() => gateway?.stop());

  const newKey = async () => {
    const { key } = await newTenant('models:run,models:read,data:read,screens:read', LIMIT_MS / 10);
    const rest = new Rest(gateway!.baseUrl, key);
    const [day] = await tradingDays(rest, 1);
    const runDay = (params: object, headers: Record<string, string> = {}) =>
      rest.post(BACKFILLS, { from: day, to: day, params }, { ...ALICE, headers });
    return { rest, runDay };
  };

  ownTest('is refused beyond it with the time to wait, while another key goes on', async () => {
    const [spending, other] = [await newKey(), await newKey()];
    const answers = [];
    for (let i = 0; i < 3; i++) answers.push(await spending.runDay({ min_price: 100 + i }));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 429]);
    expect(answers.map(costOf)).toEqual([DAY_MS, DAY_MS, 0]);
    expect(answers.map(remainingOf)).toEqual([DAY_MS, 0, 0]);
    const refused = answers.at(-1)!;
    expect(errorCode(refused)).toBe('rate_limited');
    expect(refused.headers.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/);
    expect(await budgetOf(spending.rest)).toMatchObject({ limit_ms: LIMIT_MS, remaining_ms: 0 });
    expect((await other.runDay({})).status).toBe(202);
  });

  ownTest(
    'pays nothing for what is refused, and the least for a backfill that an earlier request has started',
    async () => {
      const { rest, runDay } = await newKey();
      for (const refused of [
        await rest.post('/api/v1/screens/preview', { rules: 'close >' }, ALICE),
        await runDay({ min_price: 'cheap' }),
      ])
        expect([refused.status, costOf(refused), remainingOf(refused)]).toEqual([422, 0, LIMIT_MS]);
      const once = { 'idempotency-key': 'once' };
      expect(costOf(await runDay({}, once))).toBe(DAY_MS);
      const replay = await runDay({}, once);
      expect(costOf(replay)).toBe(LEAST_MS);
      expect(remainingOf(replay)).toBe(LIMIT_MS - DAY_MS - LEAST_MS);
    },
  );
});

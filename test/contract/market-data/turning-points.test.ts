import { beforeAll, describe, expect, test } from 'vitest';
import { ownTenant } from '#support/fleets/contract.ts';
import { submitRun } from '#support/fleets/jobs.ts';
import { errorCode, type RestResponse } from '#support/fleets/rest.ts';

const tenant = ownTenant();
const BATCH = '/api/v1/data/turning-points';
const pathOf = (ticker: string, query = '') => `/api/v1/data/stocks/${ticker}/turning-point${query}`;

interface TurningPoint {
  ticker: string;
  date: string;
  signal: string;
  score: number;
  factors: string[];
  close: number;
  ret_10d_pct: number | null;
}

type Ticker = Pick<TurningPoint, 'ticker'>;

/** The net flow in IDR that a factor states; empty if the factor states none. */
function flowIn(factor: string): number[] {
  const [, amount, scale = ''] =
    /(?:jual|beli) bersih Rp([\d.,]+)(?: (ribu|juta|miliar|triliun))?/.exec(factor) ?? [];
  if (amount === undefined) return [];
  const scales: Record<string, number> = { ribu: 1e3, juta: 1e6, miliar: 1e9, triliun: 1e12 };
  return [Number(amount.replaceAll('.', '').replace(',', '.')) * (scales[scale] ?? 1)];
}

interface Several {
  turning_points: TurningPoint[];
  missing: string[];
  lookback: number;
}

const refusal = (response: RestResponse<object>) => [response.status, errorCode(response as RestResponse)];
const INVALID = [422, 'invalid_request'];

/** Picks of a recent run, which are certainly traded. */
let tickers: string[] = [];
beforeAll(async () => {
  const job = await submitRun(tenant.rest, { min_signals: 1 }, '?wait=30');
  tickers = (job['summary'] as { tickers: string[] }).tickers;
});

function signalOf(score: number): string {
  if (score >= 4) return 'ACCUMULATION_REVERSAL';
  if (score >= 2) return 'EARLY_RECOVERY';
  if (score >= -1) return 'NEUTRAL';
  return score >= -3 ? 'WEAKENING' : 'DISTRIBUTION_RISK';
}

describe('the turning point of one stock', () => {
  test('has every field, and its signal follows from its score', async () => {
    const { status, body } = await tenant.rest.get<TurningPoint & { lookback: number; broker_data: string }>(
      pathOf(tickers[0]!.toLowerCase()),
    );
    expect(status).toBe(200);
    expect(body.ticker).toBe(tickers[0]);
    expect(body.date).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(body.signal).toBe(signalOf(body.score));
    expect(Number.isInteger(body.score)).toBe(true);
    expect(body.score === 0 || body.factors.length > 0).toBe(true);
    for (const factor of body.factors) expect(factor).toMatch(/^[A-Z][^.]*/);
    expect(body.close).toBeGreaterThan(0);
    expect([body.lookback, body.broker_data]).toEqual([10, 'synthetic']);
  });

  test('has the ten-day return of its bars', async () => {
    const { body } = await tenant.rest.get<TurningPoint>(pathOf(tickers[0]!, '?lookback=60'));
    const { body: stock } = await tenant.rest.get<{ ohlcv: { close: number; volume: number }[] }>(
      `/api/v1/data/stocks/${tickers[0]}?days=60`,
    );
    const traded = stock.ohlcv.filter(({ volume }) => volume > 0);
    const ret = 100 * (traded.at(-1)!.close / traded.at(-11)!.close - 1);
    expect(body.ret_10d_pct).toBeCloseTo(ret, 2);
    expect(body.close).toBeCloseTo(traded.at(-1)!.close, 4);
  });

  test.each(['2', '60'])('accepts lookback=%s', async (lookback) => {
    const { status, body } = await tenant.rest.get<{ lookback: number }>(
      pathOf(tickers[0]!, `?lookback=${lookback}`),
    );
    expect([status, body.lookback]).toEqual([200, Number(lookback)]);
  });

  test.each(['1', '61', '0', '-10', '2.5', 'ten', '', '10&lookback=20', '10&surprise=1'])(
    'lookback=%s is refused as invalid_request',
    async (lookback) => {
      expect(refusal(await tenant.rest.get(pathOf(tickers[0]!, `?lookback=${lookback}`)))).toEqual(INVALID);
    },
  );

  test('an unknown ticker is 404 not_found', async () => {
    expect(refusal(await tenant.rest.get(pathOf('ZZZZ9')))).toEqual([404, 'not_found']);
  });
});

describe('turning points of several stocks', () => {
  const post = (body: unknown) => tenant.rest.post<Several>(BATCH, body);

  test('equal those of each stock alone, in request order, without duplicates, unknown ones missing', async () => {
    const [first, second] = tickers as [string, string];
    const wanted = [second, 'zzzz9', first.toLowerCase(), second.toLowerCase(), first];
    const { status, body } = await post({ tickers: wanted, lookback: 20 });
    expect(status).toBe(200);
    expect(body.turning_points.map(({ ticker }) => ticker)).toEqual([second, first]);
    expect(body.missing).toEqual(['ZZZZ9']);
    expect(body.lookback).toBe(20);
    for (const point of body.turning_points) {
      const alone = await tenant.rest.get(pathOf(point.ticker, '?lookback=20'));
      expect(alone.body).toMatchObject(point);
    }
  });

  test('name only flows of at least 5 % of a liquid stock’s turnover over the lookback', async () => {
    const { body: all } = await tenant.rest.get<{ inflow: Ticker[]; outflow: Ticker[] }>(
      '/api/v1/data/flows?days=10&min_abs_val=0&min_price=0&min_daily_val=0&top_n=100&max_price_change_pct=1000',
    );
    const smallest = [...all.inflow.slice(-25), ...all.outflow.slice(-25)].map(({ ticker }) => ticker);
    const largest = [...all.inflow.slice(0, 20), ...all.outflow.slice(0, 20)].map(({ ticker }) => ticker);
    const amounts: number[] = [];
    for (const wanted of [smallest, largest]) {
      const { body } = await post({ tickers: [...new Set(wanted)] });
      for (const { factors } of body.turning_points) amounts.push(...factors.flatMap(flowIn));
    }
    expect(amounts.length).toBeGreaterThan(0);
    // Amounts are shown with one decimal, so allow for rounding.
    expect(Math.min(...amounts)).toBeGreaterThanOrEqual(0.05 * 10 * 1e9 - 50e6);
  });

  test('use a lookback of ten days by default', async () => {
    expect((await post({ tickers: [tickers[0]] })).body.lookback).toBe(10);
  });

  test('fifty different tickers are allowed, fifty-one are 422 too_many_tickers', async () => {
    const others = Array.from({ length: 49 }, (_, i) => `NONE${i}`);
    const fifty = [tickers[0]!, ...others];
    const { status, body } = await post({ tickers: [...fifty, tickers[0]!.toLowerCase()] });
    expect([status, body.missing.length]).toEqual([200, 49]);
    expect(refusal(await post({ tickers: [...fifty, 'NONE49'] }))).toEqual([422, 'too_many_tickers']);
  });

  test('are 404 not_found when all tickers are unknown', async () => {
    expect(refusal(await post({ tickers: ['ZZZZ9', 'ZZZZ8'] }))).toEqual([404, 'not_found']);
  });

  test.each<[string, unknown]>([
    ['no body', undefined],
    ['no tickers', {}],
    ['an empty list', { tickers: [] }],
    ['an empty ticker', { tickers: [''] }],
    ['a blank ticker', { tickers: [' '] }],
    ['tickers as text', { tickers: 'BBCA' }],
    ['a number as ticker', { tickers: [1] }],
    ['null as tickers', { tickers: null }],
    ['a list as body', ['BBCA']],
    ['null as body', null],
    ['an unknown field', { tickers: ['BBCA'], days: 5 }],
    ['lookback 1', { tickers: ['BBCA'], lookback: 1 }],
    ['lookback 61', { tickers: ['BBCA'], lookback: 61 }],
    ['lookback 2.5', { tickers: ['BBCA'], lookback: 2.5 }],
    ['lookback as text', { tickers: ['BBCA'], lookback: '10' }],
    ['lookback null', { tickers: ['BBCA'], lookback: null }],
    ['malformed JSON', '{"tickers": ["BBCA"'],
  ])('%s is refused as invalid_request', async (_name, body) => {
    expect(refusal(await post(body))).toEqual(INVALID);
  });
});

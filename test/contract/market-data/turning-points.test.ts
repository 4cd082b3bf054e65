import { beforeAll, describe, expect, test } from 'vitest';
import type { Schemas } from '#client/index.ts';
import { ownTenant } from '#support/fleets/contract.ts';
import { submitRun } from '#support/rest/jobs.ts';

const tenant = ownTenant();
const BATCH = '/api/v1/data/turning-points';
const pathOf = (ticker: string, query = '') => `/api/v1/data/stocks/${ticker}/turning-point${query}`;

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
    const { status, body } = await tenant.rest.get<Schemas['TurningPointAnswer']>(
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
});

describe('turning points of several stocks', () => {
  const post = (body: unknown) => tenant.rest.post<Schemas['TurningPoints']>(BATCH, body);

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

  test('use a lookback of ten days by default', async () => {
    expect((await post({ tickers: [tickers[0]] })).body.lookback).toBe(10);
  });
});

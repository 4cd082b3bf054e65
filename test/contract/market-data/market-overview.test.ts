import { expect, test } from 'vitest';
import type { Schemas } from '#client/index.ts';
import { ownTenant } from '#support/fleets/contract.ts';

const tenant = ownTenant();
const PATH = '/api/v1/data/market-overview';

const overview = async () => (await tenant.rest.get<Schemas['MarketOverview']>(PATH)).body;

test('the overview gives its day, its regime and the regime score', async () => {
  const { date, is_partial, regime, regime_score, dataset_version } = await overview();
  expect(date).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  expect(is_partial).toBe(false);
  expect(['BULL', 'SIDEWAYS', 'BEAR']).toContain(regime);
  expect(Math.abs(regime_score)).toBeLessThanOrEqual(100);
  expect(dataset_version).toMatch(/^synthetic-/);
});

test('the regime matches the score, or the pending regime and its remaining days are given', async () => {
  const { regime, regime_score, pending_regime, days_to_confirm } = await overview();
  const said = regime_score >= 25 ? 'BULL' : regime_score <= -25 ? 'BEAR' : 'SIDEWAYS';
  if (said === regime) expect([pending_regime, days_to_confirm]).toEqual([null, null]);
  else expect([pending_regime, [1, 2].includes(days_to_confirm!)]).toEqual([said, true]);
});

test('movers are at most ten per side, largest first, and agree with their quotes', async () => {
  const { top_gainers, top_losers, date } = await overview();
  const changes = (movers: { change_pct: number }[]) => movers.map(({ change_pct }) => change_pct);
  expect(top_gainers.length + top_losers.length).toBeGreaterThan(0);
  for (const movers of [top_gainers, top_losers]) expect(movers.length).toBeLessThanOrEqual(10);
  expect(changes(top_gainers)).toEqual(changes(top_gainers).toSorted((a, b) => b - a));
  expect(changes(top_losers)).toEqual(changes(top_losers).toSorted((a, b) => a - b));
  expect(Math.min(...changes(top_gainers))).toBeGreaterThan(0);
  expect(Math.max(...changes(top_losers))).toBeLessThan(0);
  const movers = [...top_gainers, ...top_losers];
  const query = movers.map(({ ticker }) => ticker).join();
  const { body } = await tenant.rest.get<{ quotes: Record<string, object> }>(
    `/api/v1/data/quotes?tickers=${query}`,
  );
  for (const { ticker, close, change_pct, value } of movers) {
    expect(body.quotes[ticker]).toEqual({ close, change_pct, date });
    expect(value).toBeGreaterThan(0);
  }
});

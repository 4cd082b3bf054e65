import { expect, test } from 'vitest';
import { ownTenant } from '#support/fleets/contract.ts';

const tenant = ownTenant();
const PATH = '/api/v1/data/market-overview';

interface Mover {
  ticker: string;
  close: number;
  change_pct: number;
  value: number;
}

interface Overview {
  date: string;
  is_partial: boolean;
  total_stocks: number;
  traded_stocks: number;
  liquid_stocks: number;
  regime: string;
  regime_score: number;
  pending_regime: string | null;
  days_to_confirm: number | null;
  breadth: { advancing: number; declining: number; unchanged: number; above_ma20_pct: number };
  averages: { daily_return_pct: number; rsi: number };
  foreign_net_value: number;
  total_value: number;
  top_gainers: Mover[];
  top_losers: Mover[];
  dataset_version: string;
}

const overview = async () => (await tenant.rest.get<Overview>(PATH)).body;

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

test('advancing, declining and unchanged stocks add up to all traded stocks', async () => {
  const { total_stocks, traded_stocks, liquid_stocks, breadth, averages, total_value } = await overview();
  expect(breadth.advancing + breadth.declining + breadth.unchanged).toBe(traded_stocks);
  expect(traded_stocks).toBeLessThanOrEqual(total_stocks);
  expect(liquid_stocks).toBeGreaterThan(0);
  expect(liquid_stocks).toBeLessThanOrEqual(traded_stocks);
  expect(total_value).toBeGreaterThan(0);
  for (const percent of [breadth.above_ma20_pct, averages.rsi]) {
    expect(percent).toBeGreaterThanOrEqual(0);
    expect(percent).toBeLessThanOrEqual(100);
  }
  expect(Math.abs(averages.daily_return_pct)).toBeLessThan(35);
});

test('movers are at most ten per side, largest first, and agree with their quotes', async () => {
  const { top_gainers, top_losers, date } = await overview();
  const changes = (movers: Mover[]) => movers.map(({ change_pct }) => change_pct);
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

import { expect, test, vi } from 'vitest';
import { marketOverview, type MarketOverview } from '#quant/overview/market-overview.ts';
import { panelOf } from '#quant/panel/panel-fixture.ts';
import { syntheticBars } from '#quant/panel/generated-bars-fixture.ts';
import { regimeHistory } from '#quant/regime/regime.ts';
import { loadedOf } from './loaded-fixture.ts';
import { marketOverviewOf } from '../responses/market-overview.ts';
import { MarketOverviews } from './market-overviews.ts';

const bars = syntheticBars({ seed: 11, tickers: 20, days: 90 });
const panel = panelOf(bars);

test.each([
  ['the worker thread', 120],
  ['this thread, where there are few bars,', 20],
])('%s computes the overview of the last day', async (_, tickers) => {
  const market = panelOf(syntheticBars({ seed: 11, tickers, days: 90 }));
  const expected = marketOverview(market, regimeHistory(market), market.dayCount - 1);
  expect(expected.liquidStocks).toBeGreaterThan(0);
  expect(await new MarketOverviews().of(market)).toEqual(expected);
});

test('each dataset’s overview is computed once, however many callers ask', async () => {
  const compute = vi.fn(async () => ({ day: 1 }) as MarketOverview);
  const overviews = new MarketOverviews(compute);
  await Promise.all([overviews.of(panel), overviews.of(panel)]);
  await overviews.of(panel);
  expect(compute).toHaveBeenCalledTimes(1);
  await overviews.of(panelOf(bars));
  expect(compute).toHaveBeenCalledTimes(2);
});

test('a prepared overview is not computed again, and a failed preparation is retried', async () => {
  const compute = vi.fn(async () => ({ day: 1 }) as MarketOverview);
  compute.mockRejectedValueOnce(new Error('out of memory'));
  const overviews = new MarketOverviews(compute);
  await overviews.prepare(panel);
  await overviews.prepare(panel);
  expect(await overviews.of(panel)).toEqual({ day: 1 });
  expect(compute).toHaveBeenCalledTimes(2);
});

test('a failure is data_unavailable, and the next call retries', async () => {
  const compute = vi.fn(async () => ({ day: 1 }) as MarketOverview);
  compute.mockRejectedValueOnce(new Error('out of memory'));
  const overviews = new MarketOverviews(compute);
  await expect(overviews.of(panel)).rejects.toMatchObject({ code: 'data_unavailable' });
  expect(await overviews.of(panel)).toEqual({ day: 1 });
});

test('the answer has the date and version and omits unknown figures', () => {
  const overview = marketOverview(panel, regimeHistory(panel), panel.dayCount - 1);
  const loaded = loadedOf(panel, { kind: 'synthetic' });
  const response = marketOverviewOf(
    loaded,
    { ...overview, rsi: null, aboveMa20Pct: 12.345678 },
    '2024-01-01',
  );
  expect(response).toMatchObject({ date: panel.columns.dates.at(-1), dataset_version: 'v1' });
  expect(response.averages!.rsi).toBeUndefined();
  expect(response.breadth!.above_ma20_pct).toBe(12.3457);
  expect(Object.keys(response)).not.toContain('day');
});

import { expect, test } from 'vitest';
import { leastDays } from '#models/learnt/history.ts';
import { derivedMarket } from '#models/derived-market.ts';
import { panelOf } from '#quant/panel/panel-fixture.ts';
import { syntheticBars } from '#models/market-fixtures.ts';
import { dayOutcomes } from '../day-outcomes.ts';
import { trialDays } from './trial-days.ts';

const BARRIERS = { targetGain: 0.1, stopLoss: 0.05, horizonDays: 5 };
const ALL = { from: '2000-01-01', to: '2100-01-01' };

test('trials are made on every second week whose positions are all sold before the data ends', () => {
  for (const days of [260, 263, 266, 269]) {
    const table = derivedMarket(panelOf(syntheticBars({ seed: 5, tickers: 20, days }))).features();
    const { dates } = table.panel.columns;
    const tried = trialDays(dates, ALL, BARRIERS.horizonDays);
    expect(tried[0]).toBeGreaterThanOrEqual(leastDays(BARRIERS.horizonDays) - 1);
    for (const day of tried) expect(() => dayOutcomes(table, day, BARRIERS)).not.toThrow();
    // Two weeks later nobody could say how all of them ended.
    expect(() => dayOutcomes(table, tried.at(-1)! + 10, BARRIERS)).toThrow('not decided yet');
  }
});

test('there are none in data that is too short, or outside the span', () => {
  const dates = Array.from({ length: 400 }, (_, day) =>
    new Date(Date.UTC(2023, 0, 1 + day)).toISOString().slice(0, 10),
  );
  expect(trialDays(dates.slice(0, 100), ALL, 20)).toEqual([]);
  expect(trialDays(dates, { from: '2025-01-01', to: '2025-12-31' }, 20)).toEqual([]);
  expect(trialDays(dates, ALL, 20).length).toBeGreaterThan(0);
});

import { expect, test } from 'vitest';
import { panelOf } from './panel-fixture.ts';
import { priceChangePct } from './windows.ts';

const DATES = ['2024-06-24', '2024-06-25', '2024-06-26', '2024-06-27'] as const;
const panel = panelOf([
  { ticker: 'AAAA', date: DATES[0], close: 1_000 },
  { ticker: 'AAAA', date: DATES[1], close: 1_100 },
  { ticker: 'AAAA', date: DATES[2], close: 231, factor: 0.2, share_factor: 0.2 },
  { ticker: 'AAAA', date: DATES[3], close: 231, volume: 0 },
  { ticker: 'GONE', date: DATES[0], close: 50 },
  { ticker: 'LATE', date: DATES[2], close: 50 },
  { ticker: 'LATE', date: DATES[3], close: 60 },
]);

test.each([
  ['is against the close before the days', 0, 1, 1, 10],
  ['is adjusted for a split within them', 0, 1, 2, 15.5],
  ['of a suspended day is that of the carried close', 0, 3, 3, 0],
  ['is unknown of days that begin with the dataset', 0, 0, 3, null],
  ['is unknown of a stock listed within them', 2, 1, 3, null],
  ['is of the stock’s own days', 2, 3, 3, 20],
  ['is nothing for a stock that has gone', 1, 2, 3, 0],
])('the change %s', (_, ticker, firstDay, lastDay, expected) => {
  const change = priceChangePct(panel, ticker, firstDay, lastDay);
  if (expected === null) expect(change).toBeNull();
  else expect(change).toBeCloseTo(expected, 4);
});

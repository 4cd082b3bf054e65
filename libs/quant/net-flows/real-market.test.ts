import { beforeAll, describe, expect, test } from 'vitest';
import { ON_THE_REAL_MARKET, realPanel } from '#models/fixtures/market-fixtures.ts';
import type { Panel } from '../panel/panel.ts';
import { foreignNet, largestFlows, type FlowSearch } from './net-flows.ts';

describe('foreign flows on the real market', ON_THE_REAL_MARKET, () => {
  let panel: Panel;
  beforeAll(async () => {
    panel = await realPanel('2023-01-01');
  });

  const search = (date: string, days: number): FlowSearch => {
    const lastDay = panel.dayOnOrBefore(date);
    const floors = { minNetValue: 1e9, minPrice: 200, minDailyValue: 1e9 };
    return {
      ...floors,
      firstDay: lastDay + 1 - days,
      lastDay,
      sortBy: 'value',
      maxPriceChangePct: Infinity,
      minDayRatio: null,
      limit: 1_000,
    };
  };
  const bought = (wanted: FlowSearch) => largestFlows(panel, foreignNet(panel), wanted).inflow.length;

  test.each([
    [5, 45, 100],
    [10, 55, 110],
    [20, 65, 120],
  ])(
    'over %i days include %i to %i stocks bought for a billion, and fewer with stricter filters',
    (days, least, most) => {
      for (const date of ['2023-06-15', '2023-12-15', '2024-03-28', '2024-05-31', '2024-06-28']) {
        const total = search(date, days);
        const counts = [
          {},
          { minDayRatio: 0.6, maxPriceChangePct: Infinity },
          { minDayRatio: 0.6, maxPriceChangePct: 6 },
        ].map((more) => bought({ ...total, ...more }));
        expect(counts[0]).toBeGreaterThanOrEqual(least);
        expect(counts[0]).toBeLessThanOrEqual(most);
        expect(counts).toEqual(counts.toSorted((a, b) => b - a));
        expect(counts[2]).toBeGreaterThan(counts[0]! / 5);
      }
    },
  );
});

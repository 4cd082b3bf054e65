import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arbitraryBars, panelOf, type BarFixture } from '../panel/panel-fixture.ts';
import { largestNego, isOutlier, negoTotal } from './nego-total.ts';

const SPLIT = panelOf([
  {
    ticker: 'AAAA',
    date: '2024-01-01',
    close: 1_000,
    volume: 100,
    nego_volume: 50,
    nego_value: 55_000,
    nego_frequency: 2,
  },
  { ticker: 'AAAA', date: '2024-01-02', close: 990, volume: 200 },
  {
    ticker: 'AAAA',
    date: '2024-01-03',
    close: 200,
    previous: 198,
    factor: 0.2,
    share_factor: 0.2,
    volume: 500,
    nego_volume: 750,
    nego_value: 135_000,
    nego_frequency: 1,
  },
]);

/** Small markets in which about half of the rows have negotiated trades. */
const markets = arbitraryBars.chain((bars) =>
  fc
    .array(fc.option(fc.tuple(fc.integer({ min: 1, max: 9_999 }), fc.integer({ min: 1, max: 9_999_999 }))), {
      minLength: bars.length,
      maxLength: bars.length,
    })
    .map((deals) => bars.map((bar, i) => ({ ...bar, nego_volume: 0, nego_value: 0, ...dealOf(deals[i]) }))),
);
const dealOf = (deal: [number, number] | null | undefined): Partial<BarFixture> =>
  deal ? { nego_volume: deal[0], nego_value: deal[1], nego_frequency: 1 } : {};

describe('negotiated trading', () => {
  test('of one day has an average price and a premium over the close of that day', () => {
    expect(negoTotal(SPLIT, 0, 0, 0)).toEqual({
      value: 55_000,
      volume: 50,
      frequency: 2,
      avgPrice: 1_100,
      avgClose: 1_000,
      premium: expect.closeTo(0.1, 12) as number,
      outlier: false,
      regularValue: 100_000,
      daysActive: 1,
      maxDayValue: 55_000,
      lastDay: 0,
    });
  });

  test('has no price and no premium on a day without negotiated trades', () => {
    expect(negoTotal(SPLIT, 0, 1, 1)).toMatchObject({
      value: 0,
      volume: 0,
      avgPrice: null,
      avgClose: null,
      premium: null,
      outlier: false,
      regularValue: 198_000,
      daysActive: 0,
      maxDayValue: 0,
      lastDay: -1,
    });
  });

  test('over a split restates shares to the last day and compares each block with its own close', () => {
    const total = negoTotal(SPLIT, 0, 0, 2);
    expect(total).toMatchObject({ value: 190_000, volume: 1_000, frequency: 3, daysActive: 2, lastDay: 2 });
    expect(total.avgPrice).toBeCloseTo(190, 10);
    expect(total.avgClose).toBeCloseTo(200, 10);
    expect(total.premium).toBeCloseTo(190_000 / (50 * 1_000 + 750 * 200) - 1, 12);
  });

  test('can be restated to a later day without changing its premium', () => {
    const [then, now] = [negoTotal(SPLIT, 0, 0, 0), negoTotal(SPLIT, 0, 0, 0, 2)];
    expect(now).toEqual({ ...then, volume: 250, avgPrice: 220, avgClose: 200 });
  });

  test('is empty before the listing', () => {
    const late = panelOf([
      { ticker: 'AAAA', date: '2024-01-01', close: 1 },
      { ticker: 'LATE', date: '2024-01-02', close: 1, nego_value: 9, nego_volume: 9 },
    ]);
    expect(negoTotal(late, 1, 0, 0)).toMatchObject({ value: 0, regularValue: 0, lastDay: -1 });
  });

  test('is an outlier below half or above twice the close', () => {
    expect([-0.99, -0.51, -0.5, 0, 1, 1.01].map(isOutlier)).toEqual([true, true, false, false, false, true]);
  });

  test('over a span is the sum of its days, with a premium between theirs', () => {
    fc.assert(
      fc.property(markets, fc.nat(40), fc.nat(40), (bars, a, b) => {
        const panel = panelOf(bars);
        const [first, last] = [Math.min(a, b), Math.min(Math.max(a, b), panel.dayCount - 1)];
        const days = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) =>
          negoTotal(panel, 0, first + i, first + i),
        );
        const whole = negoTotal(panel, 0, first, last);
        const sum = (of: (day: (typeof days)[number]) => number) =>
          days.reduce((total, day) => total + of(day), 0);
        expect(whole.value).toBe(sum(({ value }) => value));
        expect(whole.regularValue).toBe(sum(({ regularValue }) => regularValue));
        expect(whole.daysActive).toBe(sum(({ daysActive }) => daysActive));
        const premiums = days.flatMap(({ premium }) => (premium === null ? [] : [premium]));
        expect(whole.premium === null).toBe(premiums.length === 0);
        if (whole.premium === null) return;
        expect(whole.premium).toBeGreaterThanOrEqual(Math.min(...premiums) - 1e-9);
        expect(whole.premium).toBeLessThanOrEqual(Math.max(...premiums) + 1e-9);
        expect(whole.premium).toBeCloseTo((whole.avgPrice! - whole.avgClose!) / whole.avgClose!, 6);
      }),
    );
  });

  test('does not depend on rows after the span', () => {
    fc.assert(
      fc.property(markets, fc.nat(40), (bars, wantedDay) => {
        const whole = panelOf(bars);
        const day = Math.min(wantedDay, whole.dayCount - 1);
        const cut = panelOf(bars.filter((bar) => bar.date <= whole.columns.dates[day]!));
        cut.columns.tickers.forEach((ticker, index) => {
          expect(negoTotal(whole, whole.tickerIndex(ticker), 0, day)).toEqual(negoTotal(cut, index, 0, day));
        });
      }),
    );
  });
});

describe('the scan', () => {
  test('returns every ticker that reaches the minimum value, largest first, up to the limit', () => {
    fc.assert(
      fc.property(
        markets,
        fc.integer({ min: 0, max: 5_000_000 }),
        fc.integer({ min: 1, max: 5 }),
        (bars, minValue, limit) => {
          const panel = panelOf(bars);
          const lastDay = panel.dayCount - 1;
          const scan = (most: number) =>
            largestNego(panel, { firstDay: 0, lastDay, asOfDay: lastDay, minValue, limit: most });
          const reaching = panel.columns.tickers.filter((_, ticker) => {
            const { value } = negoTotal(panel, ticker, 0, lastDay);
            return value > 0 && value >= minValue;
          });
          const all = scan(1_000);
          expect(all.map(({ ticker }) => panel.columns.tickers[ticker]!).toSorted()).toEqual(
            reaching.toSorted(),
          );
          const values = all.map(({ total }) => total.value);
          expect(values).toEqual(values.toSorted((a, b) => b - a));
          expect(scan(limit)).toEqual(all.slice(0, limit));
        },
      ),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  priceLimits,
  ceilToTick,
  floorToTick,
  roundToTick,
  settlementDays,
  tickBelow,
  tickSize,
} from './exchange.ts';
import { stampDuty } from './fees.ts';

describe('tick size', () => {
  test.each([
    [50, 1],
    [199, 1],
    [200, 2],
    [498, 2],
    [500, 5],
    [1_995, 5],
    [2_000, 10],
    [4_990, 10],
    [5_000, 25],
    [30_975, 25],
  ])('at %d is %d', (price, tick) => expect(tickSize(price)).toBe(tick));

  test('rounding gives tradable prices on the right side of the input', () => {
    fc.assert(
      fc.property(fc.double({ min: 1, max: 100_000, noNaN: true }), (price) => {
        const [below, above, nearest] = [floorToTick(price), ceilToTick(price), roundToTick(price)];
        expect(below <= price && price <= above).toBe(true);
        for (const tradable of [below, above, nearest]) expect(tradable % tickSize(tradable)).toBe(0);
      }),
    );
  });
});

describe('prices of sellers', () => {
  test.each([
    [500, 498],
    [501, 500],
    [200, 199],
    [2_000, 1_995],
    [5_000, 4_990],
    [8_100, 8_075],
  ])('the tick below %d is %d', (price, below) => expect(tickBelow(price)).toBe(below));
});

test.each([
  [499, 1],
  [500, 5],
  [4_990, 5],
  [5_000, 25],
])('before 2016-05-02 the tick at %d is %d', (price, tick) => {
  expect(tickSize(price, '2016-04-29')).toBe(tick);
  expect(tickSize(price, '2016-05-02')).toBe(tickSize(price));
});

describe('auto-rejection limits', () => {
  test.each([
    // previous, day, lower, upper
    [100, '2024-06-03', 65, 135],
    [200, '2024-06-03', 130, 270],
    [202, '2024-06-03', 152, 252],
    [5_000, '2024-06-03', 3_750, 6_250],
    [5_025, '2024-06-03', 4_020, 6_025],
    [1_000, '2020-03-09', 750, 1_250],
    [1_000, '2020-03-10', 900, 1_250],
    [1_000, '2020-03-13', 930, 1_250],
    [1_000, '2023-06-02', 930, 1_250],
    [1_000, '2023-06-05', 850, 1_250],
    [1_000, '2023-09-04', 750, 1_250],
    [1_000, '2025-04-07', 750, 1_250],
    [1_000, '2025-04-08', 850, 1_250],
    [52, '2024-06-03', 50, 70],
    [1_000, '2015-08-24', 750, 1_250],
    [1_000, '2015-08-25', 900, 1_250],
    [1_000, '2017-01-02', 900, 1_250],
    [1_000, '2017-01-03', 750, 1_250],
    [222, '2016-04-29', 200, 277],
    [222, '2016-05-02', 200, 276],
  ])('of %d on %s are %d to %d', (previous, day, lower, upper) => {
    expect(priceLimits(previous, day, 'regular')).toEqual({ lower, upper });
  });

  test.each([
    [1, 1, 2],
    [10, 9, 11],
    [11, 10, 12],
    [49, 45, 53],
    [220, 198, 242],
  ])('on the special boards for a price of %d are %d to %d', (previous, lower, upper) => {
    expect(priceLimits(previous, '2025-06-02', 'special')).toEqual({ lower, upper });
  });

  test.each([
    [100, '2020-03-12', 80, 170],
    [1_000, '2020-03-12', 800, 1_500],
    [1_000, '2020-03-13', 930, 1_250],
    [1_000, '2019-07-01', 500, 1_500],
  ])('on the first day of a listing, of %d on %s are %d to %d', (previous, day, lower, upper) => {
    expect(priceLimits(previous, day, 'regular', true)).toEqual({ lower, upper });
  });

  test.each([
    ['2021-07-16', 180, 220],
    ['2021-07-19', 186, 220],
    ['2023-06-09', 186, 220],
    ['2023-06-12', 180, 220],
    ['2024-03-25', 180, 220],
  ])('on the special boards on %s, of 200 are %d to %d', (day, lower, upper) => {
    expect(priceLimits(200, day, 'special')).toEqual({ lower, upper });
  });

  test.each([
    ['2023-06-09', 52, 49],
    ['2023-06-12', 52, 50],
    ['2024-03-22', 52, 50],
    ['2024-03-25', 52, 47],
    ['2023-06-12', 49, 45],
    ['2023-06-12', 8, 7],
  ])('on the special boards on %s, the lowest price after %d is %d', (day, previous, lower) => {
    expect(priceLimits(previous, day, 'special').lower).toBe(lower);
  });

  test('always leave the reference price itself tradable', () => {
    const day = fc.constantFrom(
      '2016-01-04',
      '2019-08-01',
      '2020-04-01',
      '2022-01-03',
      '2023-07-03',
      '2024-01-02',
      '2026-01-05',
    );
    fc.assert(
      fc.property(fc.integer({ min: 50, max: 50_000 }), day, (price, isoDate) => {
        const previous = roundToTick(price);
        for (const rule of ['regular', 'special'] as const) {
          const { lower, upper } = priceLimits(previous, isoDate, rule);
          expect(lower <= previous && previous < upper).toBe(true);
        }
      }),
    );
  });
});

describe('what a day of trades costs and when it is settled', () => {
  test.each([
    ['2022-02-28', 10_000_001, 0],
    ['2022-03-01', 10_000_000, 0],
    ['2022-03-01', 10_000_001, 10_000],
  ])('stamp duty on %s on trades of %d IDR is %d IDR', (date, traded, duty) => {
    expect(stampDuty(traded, date)).toBe(duty);
  });

  test('trades are settled after two trading days, and after three before 2018-11-26', () => {
    expect(['2018-11-23', '2018-11-26', '2026-01-05'].map(settlementDays)).toEqual([3, 2, 2]);
  });
});

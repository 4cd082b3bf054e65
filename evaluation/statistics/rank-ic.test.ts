import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blockResamples } from '#quant/statistics/block-bootstrap.ts';
import { rankIc, type RankedForecast } from './rank-ic.ts';

const resamplesOf = (days: number) => blockResamples(days, { resamples: 200, blockLength: 2, seed: 1 });
const day = (...names: [chance: number, netReturn: number][]): RankedForecast[] =>
  names.map(([chance, netReturn]) => ({ chance, netReturn }));
const ofOneDay = (names: RankedForecast[]) => rankIc([names], resamplesOf(1)).mean.value;

test('the rank IC is 1 when likelier names return more and -1 when they return less, whatever the amounts', () => {
  expect(ofOneDay(day([0.1, -0.5], [0.2, 0], [0.3, 0.01], [0.4, 9]))).toBeCloseTo(1, 12);
  expect(ofOneDay(day([0.1, 9], [0.2, 0.01], [0.3, 0], [0.4, -0.5]))).toBeCloseTo(-1, 12);
});

test('equal values share their mean rank', () => {
  // Ranks 0.5, 0.5, 2 against 0, 1, 2: covariance 1.5 over sqrt(1.5 * 2).
  expect(ofOneDay(day([0.1, 1], [0.1, 2], [0.3, 3]))).toBeCloseTo(1.5 / Math.sqrt(3), 12);
});

test('a day without spread or with only two names has no rank IC', () => {
  const days = [
    day([0.1, 1], [0.1, 2], [0.1, 3]),
    day([0.1, 1], [0.2, 2]),
    day([0.1, 1], [0.2, 2], [0.3, 3]),
  ];
  const figures = rankIc(days, resamplesOf(3));
  expect(figures).toMatchObject({ days: 1, positive: 1 });
  expect(figures.mean.value).toBeCloseTo(1, 12);
  expect(rankIc([], resamplesOf(0))).toMatchObject({ days: 0, positive: null, mean: { value: null } });
});

test('the rank IC lies between -1 and 1, changes sign with reversed chances, and weights days equally', () => {
  const name = fc.record({
    chance: fc.integer({ min: 0, max: 20 }),
    netReturn: fc.integer({ min: -20, max: 20 }),
  });
  fc.assert(
    fc.property(
      fc.array(fc.array(name, { minLength: 3, maxLength: 12 }), { minLength: 1, maxLength: 6 }),
      (days) => {
        const { mean } = rankIc(days, resamplesOf(days.length));
        const reversed = days.map((names) => names.map((one) => ({ ...one, chance: -one.chance })));
        if (mean.value === null) return;
        expect(Math.abs(mean.value)).toBeLessThanOrEqual(1 + 1e-12);
        expect(rankIc(reversed, resamplesOf(days.length)).mean.value).toBeCloseTo(-mean.value, 9);
        const each = days.map((names) => ofOneDay(names)).filter((one) => one !== null);
        expect(mean.value).toBeCloseTo(each.reduce((sum, one) => sum + one, 0) / each.length, 9);
      },
    ),
  );
});

import { expect, test } from 'vitest';
import { byLowerLimit, byRegime, byYear, type Moment } from './parts.ts';

/** Each week with the figure that it adds. */
const WEEKS: readonly (Moment & { figure: number })[] = [
  { date: '2020-03-06', regime: 'BULL', figure: 1 },
  { date: '2020-03-12', regime: 'BEAR', figure: 2 },
  { date: '2020-03-13', regime: 'BEAR', figure: 4 },
  { date: '2023-06-02', regime: 'SIDEWAYS', figure: 8 },
  { date: '2023-06-05', regime: 'BULL', figure: 16 },
  { date: '2023-09-01', regime: 'BULL', figure: 32 },
  { date: '2023-09-04', regime: 'SIDEWAYS', figure: 64 },
  { date: '2025-04-08', regime: 'BEAR', figure: 128 },
];
const sumOf = (belongs: (week: (typeof WEEKS)[number]) => boolean) =>
  WEEKS.filter(belongs).reduce((sum, { figure }) => sum + figure, 0);

test('weeks are divided by the lower limit on their day, whenever it applied', () => {
  expect(byLowerLimit(WEEKS, sumOf)).toEqual([
    { name: 'symmetric', figures: 1 + 64 },
    { name: '10 %', figures: 2 },
    { name: '7 %', figures: 4 + 8 },
    { name: '15 %', figures: 16 + 32 + 128 },
  ]);
});

test('weeks are divided by year, in order of time, and by regime, from bull to bear', () => {
  expect(byYear(WEEKS.toReversed(), sumOf)).toEqual([
    { name: '2020', figures: 7 },
    { name: '2023', figures: 120 },
    { name: '2025', figures: 128 },
  ]);
  expect(byRegime(WEEKS, sumOf)).toEqual([
    { name: 'BULL', figures: 1 + 16 + 32 },
    { name: 'SIDEWAYS', figures: 8 + 64 },
    { name: 'BEAR', figures: 2 + 4 + 128 },
  ]);
});

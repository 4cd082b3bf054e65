import { expect, test } from 'vitest';
import { fallsFrom, monthlyReturns } from './monthly-returns.ts';

test('months stand in the row of their year, newest year first, with gaps where the account did not exist', () => {
  const month = (name: string, return_pct: number) => ({ month: name, return_pct, equal_weight_pct: 0 });
  const rows = monthlyReturns({
    by_year: [
      { year: '2023', return_pct: 2, equal_weight_pct: 1 },
      { year: '2024', return_pct: -3, equal_weight_pct: 4 },
    ],
    by_month: [month('2023-12', 2), month('2024-01', -4), month('2024-02', 1)],
  });
  expect(rows.map(({ year, whole, equalWeight }) => [year, whole, equalWeight])).toEqual([
    ['2024', -3, 4],
    ['2023', 2, 1],
  ]);
  expect(rows[0]!.months.slice(0, 3)).toEqual([-4, 1, undefined]);
  expect(rows[1]!.months.at(-1)).toBe(2);
});

test('a fall is measured from the highest value so far', () => {
  expect(fallsFrom([100, 120, 90, 150, 75])).toEqual([0, 0, -25, 0, -50]);
});

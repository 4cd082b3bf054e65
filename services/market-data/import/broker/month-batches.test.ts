import { expect, test } from 'vitest';
import { inBatches } from './month-batches.ts';

const month = (name: string, rows: number, hasNet = 0) => ({ month: name, rows, hasNet });

test('consecutive months share a batch up to the row limit; a larger month gets its own batch', () => {
  const months = [
    month('2024-01', 4),
    month('2024-02', 6, 1),
    month('2024-03', 1),
    month('2024-04', 30),
    month('2024-05', 5),
    month('2024-07', 5),
  ];
  expect(inBatches(months, 10)).toEqual([
    { months: ['2024-01', '2024-02'], hasNet: true },
    { months: ['2024-03'], hasNet: false },
    { months: ['2024-04'], hasNet: false },
    { months: ['2024-05', '2024-07'], hasNet: false },
  ]);
  expect(inBatches([], 10)).toEqual([]);
});

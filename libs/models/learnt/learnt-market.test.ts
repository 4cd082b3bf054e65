import { expect, test } from 'vitest';
import { bestOfEachDay } from './learnt-market.ts';

const PAST = [5, 7, 9].flatMap((day) => [1, 2, 3].map((place) => ({ day, row: 10 * day + place })));

test('bestOfEachDay calls the selection once per day with all its names and keeps its picks', () => {
  const requested: [number, number[]][] = [];
  const picked = bestOfEachDay(PAST, (ofDay, day) => {
    requested.push([day, ofDay.map(({ row }) => row)]);
    return ofDay.slice(0, day === 7 ? 0 : 2);
  });
  expect(requested).toEqual([
    [5, [51, 52, 53]],
    [7, [71, 72, 73]],
    [9, [91, 92, 93]],
  ]);
  expect(picked.map(({ row }) => row)).toEqual([51, 52, 91, 92]);
});

test('bestOfEachDay identifies picked names by their row alone', () => {
  const picked = bestOfEachDay(PAST, (ofDay) => [{ row: ofDay[2]!.row }]);
  expect(picked).toEqual([PAST[2], PAST[5], PAST[8]]);
});

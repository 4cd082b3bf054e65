import { describe, expect, test } from 'vitest';
import { judgeDays, type DayCounts } from './thin-days.ts';

const dayOf = (number: number) => `2024-${String(100 + number).slice(1)}`;
const daysOf = (stocks: number[], traded = stocks): DayCounts[] =>
  stocks.map((count, i) => ({ day: dayOf(i), stocks: count, traded: traded[i]! }));
const WHOLE = Array<number>(25).fill(928);

describe('a day is judged by the median of the last 20 whole days', () => {
  test.each([
    [743, 25],
    [742, 24],
  ])('with a newest day of %i of 928 stocks, day %i is the last whole one', (stocks, lastWhole) => {
    expect(judgeDays(daysOf([...WHOLE, stocks]), []).wholeUntil).toBe(dayOf(lastWhole));
  });

  test('a tail of thin days stays partial however long it is, and days before whole ones are thin', () => {
    const judged = judgeDays(daysOf([...WHOLE, 30, ...WHOLE, ...Array<number>(40).fill(1)]), []);
    expect(judged).toMatchObject({ wholeUntil: dayOf(50), thin: [`${dayOf(25)}: 30 of 928 stocks`] });
    expect(judged.partial).toHaveLength(40);
    expect(judged.partial[0]).toBe(`${dayOf(51)}: 1 of 928 stocks`);
  });

  test('an accepted day is whole', () => {
    const days = daysOf([...WHOLE, 30, 30]);
    expect(judgeDays(days, [dayOf(25)])).toMatchObject({ wholeUntil: dayOf(25), thin: [] });
    expect(judgeDays(days, [dayOf(26)]).thin).toEqual([`${dayOf(25)}: 30 of 928 stocks`]);
  });

  test('a day on which all stocks have a row and few traded is thin too', () => {
    const judged = judgeDays(daysOf([...WHOLE, 928], [...WHOLE, 30]), []);
    expect(judged.partial).toEqual([`${dayOf(25)}: 30 of 928 stocks traded`]);
  });

  test('of fewer than 20 stocks or after fewer than five days no day is thin', () => {
    expect(judgeDays(daysOf([...WHOLE.map(() => 19), 1]), []).partial).toEqual([]);
    expect(judgeDays(daysOf([928, 928, 928, 928, 1]), []).partial).toEqual([]);
  });
});

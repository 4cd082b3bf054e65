import { expect, test } from 'vitest';
import { renamesOf } from './renames.ts';

const change = (ticker: string, new_ticker: string, ex_date: string, known_on = ex_date) =>
  ({ kind: 'ticker_change', ticker, new_ticker, ex_date, known_on }) as const;
const LAST = '2024-12-30';

test('a stock that was renamed twice has one history, under its last name', () => {
  expect(
    renamesOf([change('BBBB', 'CCCC', '2024-03-01'), change('AAAA', 'BBBB', '2023-02-01')], LAST),
  ).toEqual([
    { from: 'AAAA', to: 'CCCC', since: undefined, before: '2023-02-01' },
    { from: 'BBBB', to: 'CCCC', since: '2023-02-01', before: '2024-03-01' },
  ]);
});

test('a ticker that another stock gets later keeps that stock’s rows', () => {
  expect(
    renamesOf([change('AAAA', 'BBBB', '2023-02-01'), change('XXXX', 'AAAA', '2024-02-01')], LAST),
  ).toEqual([
    { from: 'AAAA', to: 'BBBB', since: undefined, before: '2023-02-01' },
    { from: 'XXXX', to: 'AAAA', since: undefined, before: '2024-02-01' },
  ]);
});

test('a rename counts once it has happened and is known', () => {
  expect(renamesOf([change('AAAA', 'BBBB', '2024-12-31', '2024-12-01')], LAST)).toEqual([]);
  expect(renamesOf([change('AAAA', 'BBBB', '2024-12-01', '2024-12-31')], LAST)).toEqual([]);
});

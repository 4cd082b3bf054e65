import { expect, test } from 'vitest';
import { lastYearOf, weeklyDays } from './evaluate.ts';

test('a week is represented by its last trading day, even when Friday is a holiday', () => {
  const dates = ['2024-04-01', '2024-04-04', '2024-04-05', '2024-04-16', '2024-04-18', '2024-04-22'];
  const days = weeklyDays(dates, { from: '2024-01-01', to: '2024-12-31' });
  expect(days.map((day) => dates[day])).toEqual(['2024-04-05', '2024-04-18', '2024-04-22']);
});

test('only weeks whose last trading day lies within the span count', () => {
  const dates = ['2024-04-04', '2024-04-05', '2024-04-11', '2024-04-12', '2024-04-18', '2024-04-19'];
  const days = weeklyDays(dates, { from: '2024-04-08', to: '2024-04-18' });
  expect(days.map((day) => dates[day])).toEqual(['2024-04-12']);
});

test('the last year ends on the last day and is shorter when the data is', () => {
  const dates = Array.from({ length: 400 }, (_, day) =>
    new Date(Date.UTC(2023, 0, 1 + day)).toISOString().slice(0, 10),
  );
  expect(lastYearOf(dates)).toEqual({ from: '2023-02-05', to: '2024-02-04' });
  expect(lastYearOf(dates.slice(0, 10))).toEqual({ from: '2023-01-01', to: '2023-01-10' });
  expect(lastYearOf([])).toBeUndefined();
});

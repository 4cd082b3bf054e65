import { expect, test } from 'vitest';
import { mistakeInPlace, placeOfDay } from './dated-place.ts';

test('an address names the day in the form that its source wants', () => {
  expect(
    placeOfDay('https://data.example/{yyyy}/{mm}/{dd}?date={yyyymmdd}&day={yyyy-mm-dd}', '2024-07-01'),
  ).toBe('https://data.example/2024/07/01?date=20240701&day=2024-07-01');
});

test.each([
  ['/data/{yyyy-mm-dd}.json', undefined],
  ['/data/{yyyy}/{mm}/{dd}.json', undefined],
  ['/data/today.json', /^must contain the day/],
  ['/data/{yyyy}/{mm}.json', /^must contain the day/],
  ['/data/{date}.json', /^has the unknown placeholder \{date\}; allowed: \{yyyy-mm-dd\}, \{yyyymmdd\}/],
])('%s is judged', (place, mistake) => {
  if (mistake) expect(mistakeInPlace(place)).toMatch(mistake);
  else expect(mistakeInPlace(place)).toBeUndefined();
});

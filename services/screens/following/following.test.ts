import fc from 'fast-check';
import { expect, test } from 'vitest';
import { previousOf } from './following.ts';

const DAYS = ['2024-07-01', '2024-07-02', '2024-07-03'];
const PLACE = {
  version: 1,
  as_of: DAYS[1]!,
  tickers: ['BBCA'],
  previous_as_of: DAYS[0]!,
  previous_tickers: ['BBRI'],
  revision: 3,
};
const NOTHING = { previous_as_of: undefined, previous_tickers: [] };

test('a later day is compared with the newest result', () => {
  const compared = { previous_as_of: DAYS[1], previous_tickers: ['BBCA'] };
  expect(previousOf({ version: 1, place: PLACE }, DAYS[2]!)).toEqual(compared);
});

test('a corrected day is compared with what its first version was compared with', () => {
  const compared = { previous_as_of: DAYS[0], previous_tickers: ['BBRI'] };
  expect(previousOf({ version: 1, place: PLACE }, DAYS[1]!)).toEqual(compared);
  const first = { ...PLACE, previous_as_of: null, previous_tickers: [] };
  expect(previousOf({ version: 1, place: first }, DAYS[1]!)).toEqual(NOTHING);
});

test.each([
  ['a screen without a place', { version: 1, place: null }],
  ['a replaced screen', { version: 2, place: PLACE }],
  ['a screen that never had a result', { version: 1, place: { ...PLACE, as_of: null } }],
])('%s is compared with nothing', (_what, screen) => {
  expect(previousOf(screen, DAYS[2]!)).toEqual(NOTHING);
});

test('a market that ends before the place of a screen is compared with nothing', () => {
  expect(previousOf({ version: 1, place: PLACE }, DAYS[0]!)).toEqual(NOTHING);
});

test('a result is never compared with one of the same day or a later one', () => {
  const day = fc.constantFrom(...DAYS);
  fc.assert(
    fc.property(day, day, fc.option(day), (served, as_of, previous) => {
      const previous_as_of = previous !== null && previous < as_of ? previous : null;
      const { previous_as_of: compared } = previousOf(
        { version: 1, place: { ...PLACE, as_of, previous_as_of } },
        served,
      );
      if (compared !== undefined) expect(compared < served).toBe(true);
    }),
  );
});

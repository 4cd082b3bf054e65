import { InvalidArgumentError } from 'commander';
import { expect, test, vi } from 'vitest';
import { momentAhead, momentBefore, secondsOf } from './option-values.ts';

test.each([
  ['0', 0],
  ['90s', 90],
  ['30m', 1_800],
  ['24h', 86_400],
  ['7d', 604_800],
  ['2w', 1_209_600],
])('%s is a duration of %d seconds', (text, seconds) => expect(secondsOf(text)).toBe(seconds));

test.each(['', '1', '-1d', '1.5h', '1 d', 'd', '1y', '1e9d'])('%j is no duration', (text) =>
  expect(() => secondsOf(text)).toThrow(InvalidArgumentError),
);

test('a day means its end in Jakarta, a datetime is taken as given, a duration counts from now', () => {
  expect(momentAhead('2027-01-31').toISOString()).toBe('2027-01-31T17:00:00.000Z');
  expect(momentAhead('2027-01-31T17:00+07:00').toISOString()).toBe('2027-01-31T10:00:00.000Z');
  vi.useFakeTimers({ now: new Date('2026-11-20T03:00:00Z') });
  expect(momentAhead('90d').toISOString()).toBe('2027-02-18T03:00:00.000Z');
  expect(momentBefore('12h').toISOString()).toBe('2026-11-19T15:00:00.000Z');
  expect(momentBefore('2026-11-01T17:00+07:00').toISOString()).toBe('2026-11-01T10:00:00.000Z');
  vi.useRealTimers();
});

test.each([
  '',
  '0',
  'tomorrow',
  '2027-02-30',
  '2027-02-30T00:00Z',
  '2027-01-31T17:00',
  '2027-13-01T00:00Z',
  '2027-01-31T24:00Z',
  '2027-01-31T17:60Z',
  '31-01-2027',
  '20270131',
  '999999999w',
])('%j is not a valid moment', (text) => {
  expect(() => momentAhead(text)).toThrow(InvalidArgumentError);
  expect(() => momentBefore(text)).toThrow(InvalidArgumentError);
});

import { describe, expect, test } from 'vitest';
import { CalendarFileError, readCalendarFile } from './calendar-file.ts';
import { IDX_CALENDAR } from './trading-calendar.ts';

const read = (file: unknown) => readCalendarFile(JSON.stringify(file));

describe('a calendar file', () => {
  test('adds a year, whose other weekdays are then known to be open', () => {
    const calendar = read({ closures: { '2027-01-01': "New Year's Day" }, listed_years: [2027] });
    expect(calendar.day('2027-01-01')).toEqual({
      isOpen: false,
      closedFor: "New Year's Day",
      isAssumed: false,
    });
    expect(calendar.day('2027-01-04')).toEqual({ isOpen: true, closedFor: null, isAssumed: false });
    expect(calendar.day('2028-01-03').isAssumed).toBe(true);
  });

  test('without the year lists only its own days', () => {
    const calendar = read({ closures: { '2027-01-01': "New Year's Day" }, openings: ['2027-03-08'] });
    expect(calendar.day('2027-01-01').isAssumed).toBe(false);
    expect(calendar.day('2027-03-08').isAssumed).toBe(false);
    expect(calendar.day('2027-03-09').isAssumed).toBe(true);
  });

  test('overrules what is built in, in both directions, and leaves it unchanged', () => {
    const calendar = read({ closures: { '2026-12-23': 'day of mourning' }, openings: ['2026-12-24'] });
    expect(calendar.day('2026-12-23').closedFor).toBe('day of mourning');
    expect(calendar.isTradingDay('2026-12-24')).toBe(true);
    expect(IDX_CALENDAR.isTradingDay('2026-12-23')).toBe(true);
    expect(IDX_CALENDAR.isTradingDay('2026-12-24')).toBe(false);
  });

  test('read after another has the last word', () => {
    const first = read({ openings: ['2026-12-24'] });
    const second = readCalendarFile('{"closures": {"2026-12-24": "closed after all"}}', first);
    expect(second.day('2026-12-24').closedFor).toBe('closed after all');
  });

  test('moves the end of trading of a day', () => {
    expect(read({ early_closes: { '2026-12-30': '12:00' } }).hours('2026-12-30')).toEqual({
      regular: '12:00',
      negotiated: '12:00',
    });
  });

  test('may name a weekend as a closure', () => {
    expect(read({ closures: { '2027-05-01': 'Labour Day' } }).isTradingDay('2027-05-01')).toBe(false);
  });

  test('may be empty', () => {
    expect(read({}).facts).toEqual(IDX_CALENDAR.facts);
  });

  test.each<[file: unknown, field: string, message: string]>([
    [[], '', 'must be a JSON object'],
    [{ closure: {} }, 'closure', 'unknown field; allowed are closures, openings, early_closes, listed_years'],
    [{ closures: ['2027-01-01'] }, 'closures', 'must be a JSON object'],
    [
      { closures: { '2027-02-29': 'x' } },
      'closures["2027-02-29"]',
      'must be a day of the form YYYY-MM-DD, got "2027-02-29"',
    ],
    [
      { closures: { '2027-01-01': ' ' } },
      'closures["2027-01-01"]',
      'must be the reason, a text of 1 to 200 characters',
    ],
    [
      { closures: { '2027-01-01': null } },
      'closures["2027-01-01"]',
      'must be the reason, a text of 1 to 200 characters',
    ],
    [{ closures: null }, 'closures', 'must be a JSON object'],
    [{ openings: {} }, 'openings', 'must be a JSON list'],
    [
      { early_closes: { '2027-01-04': '09:00' } },
      'early_closes["2027-01-04"]',
      'must be a time HH:MM in Jakarta after 09:00 and before 16:15, the usual hours',
    ],
    [
      { openings: ['2027-01-04', 20270105] },
      'openings[1]',
      'must be a day of the form YYYY-MM-DD, got 20270105',
    ],
    [
      { openings: ['2027-01-02'] },
      'openings[0]',
      '2027-01-02 is a weekend, on which the exchange never trades',
    ],
    [
      { closures: { '2027-01-04': 'x' }, openings: ['2027-01-04'] },
      'openings[0]',
      '2027-01-04 is also one of the closures',
    ],
    [
      { early_closes: { '2027-01-04': '25:00' } },
      'early_closes["2027-01-04"]',
      'must be a time HH:MM in Jakarta after 09:00 and before 16:15, the usual hours',
    ],
    [
      { early_closes: { '2022-01-04': '15:15' } },
      'early_closes["2022-01-04"]',
      'must be a time HH:MM in Jakarta after 09:00 and before 15:15, the usual hours',
    ],
    [
      { early_closes: { '2026-12-25': '12:00' } },
      'early_closes["2026-12-25"]',
      'the exchange is closed: Christmas Day',
    ],
    [{ listed_years: ['2027'] }, 'listed_years[0]', 'must be a year, 1977 to 2100'],
    [
      { listed_years: [2027] },
      'listed_years[0]',
      'a listed year has all its closures in the calendar, and 2027 has none',
    ],
  ])('%j is refused at %s', (file, field, message) => {
    const path = field === '' ? '' : `${field}: `;
    const refusal = expect.objectContaining({
      field,
      message: `calendar file: ${path}${message}`,
    }) as unknown;
    expect(() => read(file)).toThrow(refusal);
    expect(() => read(file)).toThrow(CalendarFileError);
  });

  test('that is not JSON is refused with the place', () => {
    expect(() => readCalendarFile('{"closures": {')).toThrow(/^calendar file: not JSON: .*position/);
  });
});

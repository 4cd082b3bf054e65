import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jakartaDateTime, jakartaDay } from '#foundation/jakarta-time.ts';
import { newAjv, fieldErrors } from './field-errors.ts';
import { momentOf } from './moment.ts';

const sinceMoment = (text: string) => momentOf('moment', text);
const untilMoment = (text: string) => momentOf('moment-through-day', text);

test.each([
  ['2024-06-28', '2024-06-27T17:00:00.000Z'],
  ['2024-02-29', '2024-02-28T17:00:00.000Z'],
  ['2024-06-28T09:30', '2024-06-28T02:30:00.000Z'],
  ['2024-06-28T09:30:15', '2024-06-28T02:30:15.000Z'],
  ['2024-06-28 09:30:15.250', '2024-06-28T02:30:15.250Z'],
  ['2024-06-28T09:30:00Z', '2024-06-28T09:30:00.000Z'],
  ['2024-06-28T09:30:00+07:00', '2024-06-28T02:30:00.000Z'],
  ['2024-06-28T09:30:00 07:00', '2024-06-28T02:30:00.000Z'],
  ['2024-06-28T09:30:00-0500', '2024-06-28T14:30:00.000Z'],
  ['1719537000', '2024-06-28T01:10:00.000Z'],
  ['1719537000.5', '2024-06-28T01:10:00.500Z'],
  ['1000000000', '2001-09-09T01:46:40.000Z'],
])('since=%s is %s', (text, expected) => {
  expect(sinceMoment(text)?.toISOString()).toBe(expected);
});

test('a day given as until is included in full', () => {
  expect(untilMoment('2024-06-28')?.toISOString()).toBe('2024-06-28T17:00:00.000Z');
  expect(untilMoment('2024-06-28T00:00:00+07:00')?.toISOString()).toBe('2024-06-27T17:00:00.000Z');
});

test.each([
  ['yesterday'],
  [''],
  ['2024-02-30'],
  ['2024-6-1'],
  ['2024-06-28T24:00'],
  ['2024-06-28T09:60'],
  ['2024-06-28T09'],
  ['2024-02-30T09:30'],
  ['2024-06-28T09:30+25:00'],
  ['0'],
  ['20261128'],
  ['20261128.5'],
  ['999999999'],
  ['0999999999'],
  ['202611280930'],
  ['1719537000000'],
  ['-1'],
  ['1e9'],
])('since=%s is refused with a message that says what is allowed', (text) => {
  const ajv = newAjv();
  expect(ajv.validate({ type: 'string', format: 'moment' }, text)).toBe(false);
  expect(fieldErrors(ajv.errors!, ['query', 'since'])).toMatchObject([
    {
      loc: ['query', 'since'],
      type: 'datetime_parsing',
      msg: expect.stringMatching(/^must be .* unix seconds \(ten digits, so from 2001-09-09 on\)$/) as string,
    },
  ]);
});

test('a bound outside the ledger’s range is clamped to the edge', () => {
  expect(sinceMoment('0001-01-01')?.getTime()).toBe(0);
  expect(untilMoment('9999-12-31')?.getUTCFullYear()).toBe(2200);
});

test('every datetime and day that the service prints can be read back', () => {
  const moments = fc.date({ min: new Date('1971-01-01'), max: new Date('2199-12-30'), noInvalidDate: true });
  fc.assert(
    fc.property(moments, (moment) => {
      expect(sinceMoment(jakartaDateTime(moment))).toEqual(moment);
      const day = jakartaDay(moment);
      expect(sinceMoment(day)!.getTime()).toBeLessThanOrEqual(moment.getTime());
      expect(untilMoment(day)!.getTime()).toBeGreaterThan(moment.getTime());
    }),
  );
});

test('every text is either refused or a valid moment', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(Number.isNaN(sinceMoment(text)?.getTime() ?? 0)).toBe(false);
    }),
  );
});

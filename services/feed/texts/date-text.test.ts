import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dayOf, isDateFormat } from './date-text.ts';

test.each([
  ['2024-07-01', 'YYYY-MM-DD', '2024-07-01'],
  ['20240701', 'YYYYMMDD', '2024-07-01'],
  ['1/7/2024', 'D/M/YYYY', '2024-07-01'],
  ['01 Agu 2024', 'DD MMM YYYY', '2024-08-01'],
  ['5 Mei 2024', 'D MMM YYYY', '2024-05-05'],
  ['July 1, 2024', 'MMM D, YYYY', '2024-07-01'],
  ['2024.07.01T16:00:00+07:00', 'YYYY.MM.DDT*', '2024-07-01'],
])("'%s' as %s is %s", (text, format, day) => {
  expect(dayOf(text, format)).toBe(day);
});

test.each([
  ['2024-02-30', 'YYYY-MM-DD'],
  ['07/01/2024 ', 'DD/MM/YYYY'],
  ['2024-07-01 16:00', 'YYYY-MM-DD'],
  ['1 Foo 2024', 'D MMM YYYY'],
  ['2024x07x01', 'YYYY.MM.DD'],
  [`2024-07-01${' '.repeat(100)}`, 'YYYY-MM-DD*'],
])("'%s' is no day as %s", (text, format) => {
  expect(dayOf(text, format)).toBeUndefined();
});

test('a format has a year, a month and a day, each once', () => {
  expect(['YYYY-MM-DD', 'D MMM YYYY', 'YYYYMMDD*', '* DD/MM/YYYY *'].every(isDateFormat)).toBe(true);
  expect(['', 'YYYY-MM', 'MM/DD', 'DD/MM/YYYY DD', 'yyyy-mm-dd', '*YYYY*MM*DD'].some(isDateFormat)).toBe(
    false,
  );
});

test('every day is read back as it was written', () => {
  const days = fc.date({ min: new Date('1980-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(days, (date) => {
      const day = date.toISOString().slice(0, 10);
      const [year, month, dayOfMonth] = day.split('-') as [string, string, string];
      expect(dayOf(`${dayOfMonth}.${month}.${year}`, 'DD.MM.YYYY')).toBe(day);
      expect(dayOf(`${Number(month)}/${Number(dayOfMonth)}/${year}`, 'M/D/YYYY')).toBe(day);
    }),
  );
});

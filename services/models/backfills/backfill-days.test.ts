import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ServiceError } from '#foundation/errors/service-error.ts';
import type { Step } from '#shared/market/last-of-each.ts';
import { backfillDays, MAX_DAYS } from './backfill-days.ts';

/** Monday to Friday of three years, except the first half of May 2023. */
const DAYS = Array.from({ length: 3 * 365 }, (_, i) => new Date(Date.UTC(2022, 0, 3 + i)))
  .filter((day) => day.getUTCDay() % 6 !== 0)
  .map((day) => day.toISOString().slice(0, 10))
  .filter((day) => day < '2023-05-01' || day > '2023-05-15');
const tradingDays = {
  between: (from: string, to: string) => DAYS.filter((day) => day >= from && day <= to),
  span: { first: DAYS[0]!, last: DAYS.at(-1)! },
};
const days = (from: string, to: string, step: Step, pin = '') =>
  backfillDays({ from, to, step }, tradingDays, pin);

function refusal(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return error instanceof ServiceError ? [error.code, error.detail?.[0]?.loc.join('.')] : error;
  }
  return 'none';
}

test('a backfill covers every trading day, or the last one of each week or month', () => {
  expect(days('2023-04-27', '2023-05-17', 'day')).toEqual([
    '2023-04-27',
    '2023-04-28',
    '2023-05-16',
    '2023-05-17',
  ]);
  expect(days('2023-04-20', '2023-05-17', 'week')).toEqual(['2023-04-21', '2023-04-28', '2023-05-17']);
  expect(days('2023-03-30', '2023-05-17', 'month')).toEqual(['2023-03-31', '2023-04-28', '2023-05-17']);
});

test('a backfill has no day after the pin or the dataset’s last day', () => {
  expect(days('2023-06-01', '2030-01-01', 'month', '2023-07-04')).toEqual(['2023-06-30', '2023-07-04']);
  expect(days('2024-12-01', '2030-01-01', 'month').at(-1)).toBe(DAYS.at(-1));
});

test('a span with no trading day or too many is refused and names the bound to change', () => {
  expect(refusal(() => days('2023-05-06', '2023-05-07', 'day'))).toEqual(['invalid_request', 'from']);
  expect(refusal(() => days('2023-05-17', '2023-05-16', 'day'))).toEqual(['invalid_request', 'from']);
  expect(refusal(() => days('2022-01-01', '2024-12-31', 'day'))).toEqual(['invalid_request', 'body.to']);
  expect(days('2022-01-01', '2024-12-31', 'week').length).toBeLessThanOrEqual(MAX_DAYS);
  const unknown = { between: () => [], span: undefined };
  expect(refusal(() => backfillDays({ from: '', to: '', step: 'day' }, unknown, ''))).toEqual([
    'data_unavailable',
    undefined,
  ]);
});

test('the days of a coarser step are a subset of the daily ones, and every step ends on the same day', () => {
  const bounds = fc.tuple(fc.constantFrom(...DAYS), fc.nat(200)).map(([from, length]) => {
    const last = Math.min(DAYS.length - 1, DAYS.indexOf(from) + length);
    return [from, DAYS[last]!] as const;
  });
  fc.assert(
    fc.property(bounds, ([from, to]) => {
      const [every, weeks, months] = (['day', 'week', 'month'] as const).map((step) => days(from, to, step));
      expect(every).toEqual(expect.arrayContaining(weeks!));
      expect(every).toEqual(expect.arrayContaining(months!));
      expect([weeks!.at(-1), months!.at(-1)]).toEqual([every!.at(-1), every!.at(-1)]);
    }),
  );
});

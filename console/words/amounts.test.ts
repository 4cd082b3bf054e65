import { expect, test } from 'vitest';
import { amountOf, amountText, shareText } from './amounts.ts';

test.each([
  ['10 B', 'en', 1e10],
  ['10 bn', 'id', 1e10],
  ['1.5 miliar', 'en', 1.5e9],
  ['5 M', 'en', 5e6],
  ['5 M', 'id', 5e9],
  ['250jt', 'id', 2.5e8],
  ['10000000000', 'en', 1e10],
  ['65', 'en', 65],
  ['ten', 'en', undefined],
  ['5 x', 'en', undefined],
  ['1.2.3', 'en', undefined],
] as const)('%s is understood in %s as %j', (text, language, value) => {
  expect(amountOf(text, language, false)).toBe(value);
});

test('a percent is a hundredth of a share, and itself elsewhere', () => {
  expect(amountOf('8 %', 'en', true)).toBe(0.08);
  expect(amountOf('65%', 'en', false)).toBe(65);
});

test.each([
  [1e10, 'en', '10 billion'],
  [1.5e9, 'id', '1.5 miliar'],
  [500, 'en', '500'],
  [1_234_567_891, 'en', '1234567891'],
] as const)('%d is shown in %s as %s', (value, language, text) => {
  expect(amountText(value, language)).toBe(text);
});

test('a share is shown in percent', () => {
  expect([0.1, 0.105, 0.07, 1 / 3].map(shareText)).toEqual(['10 %', '10.5 %', '7 %', `${1 / 3}`]);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { abbreviated, grouped, multiple, signedPercent } from './display.ts';
import { toDecimals } from '#foundation/rounded.ts';
import { FORMATS } from '#foundation/text/languages.ts';

test.each([
  [0.0042, '+0.42%'],
  [-0.013, '-1.30%'],
  [0, '+0.00%'],
  [-0.000_001, '+0.00%'],
  [1.5, '+150.00%'],
])('%d is shown as %s', (fraction, shown) => expect(signedPercent(fraction)).toBe(shown));

test('a signed percent always parses back to what it shows', () => {
  fc.assert(
    fc.property(fc.double({ min: -5, max: 5, noNaN: true }), (fraction) => {
      const shown = signedPercent(fraction);
      expect(shown).toMatch(/^[+-]\d+\.\d\d%$/);
      expect(Math.abs(Number.parseFloat(shown) - fraction * 100)).toBeLessThan(0.005 + 1e-9);
    }),
  );
});

test.each([
  [2_150_000_000, '2.2B'],
  [12_400_000_000, '12.4B'],
  [100_000_000, '100.0M'],
  [999_960_000, '1.0B'],
  [1_250_000_000_000, '1.3T'],
])('%d IDR is abbreviated to %s', (value, shown) => expect(abbreviated(value)).toBe(shown));

test('prices are grouped, ratios have one decimal and an x', () => {
  expect([grouped(98), grouped(1250), grouped(30_975)]).toEqual(['98', '1,250', '30,975']);
  expect([multiple(2.34), multiple(10)]).toEqual(['2.3x', '10.0x']);
  expect([toDecimals(63.249, 1), toDecimals(12.345_6, 2)]).toEqual([63.2, 12.35]);
});

test('sentences format numbers and dates for their language', () => {
  const amounts = [500, 10_000, 100_000_000, 10_000_000_000, 2_500_000_000_000];
  const { id, en } = FORMATS;
  expect([id.plain(1250), id.plain(2.3)]).toEqual(['1.250', '2,3']);
  expect([en.plain(1250), en.plain(2.3)]).toEqual(['1,250', '2.3']);
  expect(amounts.map(id.rupiah)).toEqual(['Rp500', 'Rp10.000', 'Rp100 juta', 'Rp10 miliar', 'Rp2,5 triliun']);
  expect(amounts.map(en.rupiah)).toEqual([
    'Rp500',
    'Rp10,000',
    'Rp100 million',
    'Rp10 billion',
    'Rp2.5 trillion',
  ]);
  expect([id.date('2024-06-28'), en.date('2024-06-28')]).toEqual(['28 Juni 2024', '28 June 2024']);
});

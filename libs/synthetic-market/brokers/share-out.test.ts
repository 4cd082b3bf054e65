import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shareOut, shareOutValue } from './share-out.ts';

const weights = fc
  .array(fc.oneof(fc.constant(0), fc.double({ min: 1e-9, max: 1e9, noNaN: true })), {
    minLength: 1,
    maxLength: 40,
  })
  .filter((values) => values.some((value) => value > 0));
const offset = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

describe('whole units shared out', () => {
  test('are proportional, add up to the total, and give each part at least one if there are enough', () => {
    fc.assert(
      fc.property(fc.nat({ max: 1e12 }), weights, offset, (total, values, place) => {
        const parts = new Float64Array(values.length);
        shareOut(total, Float64Array.from(values), place, parts);
        expect(sum(parts)).toBe(total);
        const positive = values.filter((value) => value > 0).length;
        const least = total >= positive ? 1 : 0;
        const rest = total - least * positive;
        values.forEach((value, i) => {
          expect(Number.isInteger(parts[i])).toBe(true);
          if (value === 0) expect(parts[i]).toBe(0);
          else expect(parts[i]).toBeGreaterThanOrEqual(least);
          const fair = (rest * value) / sum(values) + (value > 0 ? least : 0);
          expect(Math.abs(parts[i]! - fair)).toBeLessThan(1.001 + fair * 1e-9);
        });
      }),
    );
  });

  test('are all 0 without any weight', () => {
    const parts = new Float64Array([7, 7]);
    shareOut(10, new Float64Array(2), 0.5, parts);
    expect([...parts]).toEqual([0, 0]);
  });
});

/** The value of each broker's units. */
function sharedOut(
  units: number[],
  prices: number[],
  day: { low: number; high: number; value: number },
): Float64Array {
  const parts = new Float64Array(units.length);
  shareOutValue({ units: Float64Array.from(units), prices: Float64Array.from(prices), ...day }, parts);
  return parts;
}

describe('values of units shared out', () => {
  const units = fc
    .array(fc.nat({ max: 1e7 }), { minLength: 1, maxLength: 40 })
    .filter((values) => values.some((value) => value > 0));
  const prices = fc.array(fc.double({ min: 0, max: 3e5, noNaN: true }), { minLength: 40, maxLength: 40 });

  test('add up exactly, at prices within the day, for any wanted prices', () => {
    const range = fc.tuple(fc.integer({ min: 1, max: 1e5 }), fc.nat({ max: 1e5 }), offset);
    fc.assert(
      fc.property(units, prices, range, (counts, wanted, [low, width, place]) => {
        const total = sum(counts);
        const value = Math.round(total * (low + width * place));
        const parts = sharedOut(counts, wanted, { low, high: low + width, value });
        expect(sum(parts)).toBe(value);
        counts.forEach((count, i) => {
          expect(Number.isInteger(parts[i])).toBe(true);
          expect(parts[i]).toBeGreaterThanOrEqual(count * low);
          expect(parts[i]).toBeLessThanOrEqual(count * (low + width));
        });
      }),
    );
  });

  test('add up exactly even when the value lies outside the range of the day or the range holds no whole number', () => {
    const range = fc.tuple(
      fc.double({ min: 1, max: 1e5, noNaN: true }),
      fc.double({ min: 0, max: 10, noNaN: true }),
    );
    fc.assert(
      fc.property(units, prices, range, fc.nat({ max: 1e13 }), (counts, wanted, [low, width], value) => {
        const parts = sharedOut(counts, wanted, { low, high: low + width, value });
        expect(sum(parts)).toBe(value);
        counts.forEach((count, i) => {
          if (count === 0) expect(parts[i]).toBe(0);
          expect(parts[i]).toBeGreaterThanOrEqual(0);
        });
      }),
    );
  });

  test('use the wanted prices when those add up to the value', () => {
    const parts = sharedOut([10, 30], [103, 101], { low: 100, high: 105, value: 4_060 });
    expect([...parts]).toEqual([1_030, 3_030]);
  });
});

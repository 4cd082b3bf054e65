import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { COMPARED_TRADES, superiorityOver } from './superiority.ts';

const chance = fc.double({ min: 0, max: 1, noNaN: true });
const baseRate = fc.double({ min: 0.001, max: 0.999, noNaN: true });

describe('probability of superiority', () => {
  test('is 50 at the base rate', () => {
    fc.assert(
      fc.property(baseRate, (rate) => {
        expect(superiorityOver(rate)(rate)).toBe(50);
      }),
    );
  });

  test('is the chance of more winners over all pairs of outcomes, with ties counted half', () => {
    const [p, q] = [0.31, 0.24];
    const ways = (k: number): number => (k === 0 ? 1 : (ways(k - 1) * (COMPARED_TRADES - k + 1)) / k);
    const share = (rate: number, k: number) => ways(k) * rate ** k * (1 - rate) ** (COMPARED_TRADES - k);
    let expected = 0;
    for (let mine = 0; mine <= COMPARED_TRADES; mine++)
      for (let theirs = 0; theirs <= COMPARED_TRADES; theirs++)
        expected += share(p, mine) * share(q, theirs) * (mine > theirs ? 1 : mine === theirs ? 0.5 : 0);
    expect(superiorityOver(q)(p)).toBeCloseTo(100 * expected, 1);
  });

  test('is about 65 for a lift of 1.22 and 85 for 1.6 at usual base rates', () => {
    for (const rate of [0.22, 0.25, 0.28]) {
      expect(Math.abs(superiorityOver(rate)(1.22 * rate) - 65)).toBeLessThan(2);
      expect(Math.abs(superiorityOver(rate)(1.6 * rate) - 85)).toBeLessThan(4);
    }
  });

  test('lies within 0 to 100, with one decimal', () => {
    fc.assert(
      fc.property(chance, baseRate, (p, rate) => {
        const percent = superiorityOver(rate)(p);
        expect(percent).toBeGreaterThanOrEqual(0);
        expect(percent).toBeLessThanOrEqual(100);
        expect(Number(percent.toFixed(1))).toBe(percent);
      }),
    );
  });

  test('never falls when the chance rises, and never rises with the base rate', () => {
    fc.assert(
      fc.property(chance, chance, baseRate, baseRate, (p, q, rate, other) => {
        const [low, high] = [Math.min(p, q), Math.max(p, q)];
        expect(superiorityOver(rate)(low)).toBeLessThanOrEqual(superiorityOver(rate)(high));
        const [rare, common] = [Math.min(rate, other), Math.max(rate, other)];
        expect(superiorityOver(rare)(p)).toBeGreaterThanOrEqual(superiorityOver(common)(p));
      }),
    );
  });

  test('is 100 for certain wins and 0 for certain losses', () => {
    expect(superiorityOver(0.3)(1)).toBe(100);
    expect(superiorityOver(0.3)(0)).toBe(0);
  });

  test.each([
    [NaN, 0.3],
    [1.1, 0.3],
    [0.5, 0],
    [0.5, 1],
  ])('refuses a chance of %d with a base rate of %d', (p, rate) => {
    expect(() => superiorityOver(rate)(p)).toThrow(RangeError);
  });
});

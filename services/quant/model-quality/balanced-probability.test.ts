import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { balancedProbability } from './balanced-probability.ts';

const chance = fc.double({ min: 0, max: 1, noNaN: true });
const baseRate = fc.double({ min: 0.001, max: 0.999, noNaN: true });

describe('balanced probability', () => {
  test('is 50 at the base rate', () => {
    fc.assert(
      fc.property(baseRate, (rate) => {
        expect(balancedProbability(rate, rate)).toBe(50);
      }),
    );
  });

  test('weighs the odds by those of the base rate', () => {
    expect(balancedProbability(0.38, 0.25)).toBe(64.8);
    expect(balancedProbability(0.1, 0.25)).toBe(25);
    expect(balancedProbability(0.3, 0.5)).toBe(30);
  });

  test('lies within 0 to 100, with one decimal', () => {
    fc.assert(
      fc.property(chance, baseRate, (p, rate) => {
        const balanced = balancedProbability(p, rate);
        expect(balanced).toBeGreaterThanOrEqual(0);
        expect(balanced).toBeLessThanOrEqual(100);
        expect(Number(balanced.toFixed(1))).toBe(balanced);
      }),
    );
  });

  test('never falls when the chance rises, and never rises with the base rate', () => {
    fc.assert(
      fc.property(chance, chance, baseRate, baseRate, (p, q, rate, other) => {
        const [low, high] = [Math.min(p, q), Math.max(p, q)];
        expect(balancedProbability(low, rate)).toBeLessThanOrEqual(balancedProbability(high, rate));
        const [rare, common] = [Math.min(rate, other), Math.max(rate, other)];
        expect(balancedProbability(p, rare)).toBeGreaterThanOrEqual(balancedProbability(p, common));
      }),
    );
  });

  test('of certainties is 0 and 100', () => {
    expect(balancedProbability(0, 0.3)).toBe(0);
    expect(balancedProbability(1, 0.3)).toBe(100);
  });

  test.each([
    [NaN, 0.3],
    [1.1, 0.3],
    [0.5, 0],
    [0.5, 1],
  ])('refuses a chance of %d with a base rate of %d', (p, rate) => {
    expect(() => balancedProbability(p, rate)).toThrow(RangeError);
  });
});

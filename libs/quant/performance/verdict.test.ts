import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { verdictOf, VERDICTS, type Tested } from './verdict.ts';

const GOOD: Tested = {
  excessLow: 0.2,
  excessHigh: 0.9,
  betterThanRandom: 99,
  deflatedSharpe: 97,
  overfitting: 10,
  grossLow: 0.6,
  netLow: 0.3,
};

describe('a verdict', () => {
  test.each<[keyof Tested, number | undefined, string]>([
    ['excessLow', 0, 'all liquid stocks'],
    ['excessLow', undefined, 'too few'],
    ['betterThanRandom', 94.9, 'random'],
    ['betterThanRandom', undefined, 'random'],
    ['deflatedSharpe', 94.9, 'luck'],
    ['deflatedSharpe', undefined, 'luck'],
    ['overfitting', 50, 'half'],
    ['grossLow', -1, 'own return'],
  ])('is “not shown” with %s of %s, and says why', (name, value, why) => {
    const { verdict, because } = verdictOf({ ...GOOD, netLow: -2, [name]: value });
    expect(verdict).toBe('not_shown');
    expect(because.in.en).toMatch(/^Not shown/);
    expect(because.in.en).toContain(why);
  });

  test.each<[Partial<Tested>, string]>([
    [{ excessLow: -1.27, excessHigh: -0.79 }, 'clearly worse than all liquid stocks'],
    [{ excessLow: undefined, excessHigh: -0.1 }, 'clearly worse than all liquid stocks'],
    [{ betterThanRandom: 5 }, '95 % of random choices'],
  ])('is “worse” with %j, however well the other tests come out', (tested, why) => {
    const { verdict, because } = verdictOf({ ...GOOD, ...tested });
    expect(verdict).toBe('worse');
    expect(because.in.en).toMatch(/^Worse/);
    expect(because.in.en).toContain(why);
    expect(because.in.id).toMatch(/^Lebih buruk/);
  });

  test('is “not shown”, and not “worse”, where the excess may be 0', () => {
    expect(verdictOf({ ...GOOD, excessLow: -0.5, excessHigh: 0 }).verdict).toBe('not_shown');
    expect(verdictOf({ ...GOOD, betterThanRandom: 5.1 }).verdict).toBe('not_shown');
  });

  test('is “shown before costs only” when costs may take the return away', () => {
    expect(verdictOf({ ...GOOD, netLow: 0 }).verdict).toBe('shown_before_costs_only');
    expect(verdictOf(GOOD).verdict).toBe('shown');
    expect(verdictOf({ ...GOOD, overfitting: undefined }).verdict).toBe('shown');
  });

  test('is never better than before when a test comes out worse', () => {
    const percent = fc.double({ min: 0, max: 100, noNaN: true });
    const low = fc.double({ min: -2, max: 2, noNaN: true });
    const tested = fc.record({
      excessLow: low,
      excessHigh: low,
      betterThanRandom: percent,
      deflatedSharpe: percent,
      overfitting: percent,
      grossLow: low,
      netLow: low,
    });
    const rank = (of: Tested) => VERDICTS.indexOf(verdictOf(of).verdict);
    fc.assert(
      fc.property(tested, fc.constantFrom(...(Object.keys(GOOD) as (keyof Tested)[])), (of, name) => {
        const worse = { ...of, [name]: of[name] + (name === 'overfitting' ? 50 : -50) };
        expect(rank(worse)).toBeLessThanOrEqual(rank(of));
      }),
    );
  });
});

import { describe, expect, test } from 'vitest';
import { marketPath, REGIME_TRANSITIONS, regimePath, REGIMES } from './market-path.ts';
import { Random } from '#quant/random.ts';

const DAYS = 60_000;

describe('market regimes', () => {
  const path = regimePath(new Random(1), DAYS);

  test('the transition probabilities of each regime sum to one', () => {
    for (const regime of REGIMES) {
      expect(Object.values(REGIME_TRANSITIONS[regime]).reduce((a, b) => a + b)).toBeCloseTo(1, 12);
    }
  });

  test('every regime takes 15 to 55 % of the time', () => {
    for (const regime of REGIMES) {
      const share = path.filter((name) => name === regime).length / DAYS;
      expect(share).toBeGreaterThan(0.15);
      expect(share).toBeLessThan(0.55);
    }
  });

  test('a regime lasts for months, not days', () => {
    const switches = path.filter((name, day) => day > 0 && name !== path[day - 1]).length;
    expect(DAYS / switches).toBeGreaterThan(45);
    expect(DAYS / switches).toBeLessThan(80);
  });

  test('the market rises in bull, falls in bear and is more volatile in bear', () => {
    const { market, regime } = marketPath(1, DAYS, 1);
    const traits = REGIMES.map((wanted) => {
      const returns = [...market.filter((_, day) => regime[day] === wanted)];
      const mean = returns.reduce((a, b) => a + b, 0) / returns.length;
      return {
        mean,
        variance: returns.reduce((sum, value) => sum + (value - mean) ** 2, 0) / returns.length,
      };
    });
    const [bull, sideways, bear] = traits as [(typeof traits)[0], (typeof traits)[0], (typeof traits)[0]];
    expect(bull.mean).toBeGreaterThan(0.0006);
    expect(Math.abs(sideways.mean)).toBeLessThan(0.0004);
    expect(bear.mean).toBeLessThan(-0.0006);
    expect(bear.variance).toBeGreaterThan(2 * bull.variance);
  });
});

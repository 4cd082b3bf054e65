import { describe, expect, test } from 'vitest';
import { Random } from '#quant/random.ts';
import { trialFigures, type Trial } from './trials.ts';

const PERIOD = { periodDays: 20 };
const noise = (random: Random, mean = 0): Trial => ({
  ...PERIOD,
  excess: Array.from({ length: 59 }, () => mean + 0.02 * random.normal()),
});
const ratioOf = ({ excess }: Trial) => trialFigures({ ...PERIOD, excess }, [], []).sharpe!;

describe('trials', () => {
  test('let the best of 50 without merit pass for skill in at most 10 of 100 markets, and alone in most', () => {
    let [alone, deflated] = [0, 0];
    for (let market = 0; market < 100; market++) {
      const random = new Random(7, market);
      const tried = Array.from({ length: 50 }, () => noise(random));
      const best = tried.reduce((a, b) => (ratioOf(b) > ratioOf(a) ? b : a));
      const others = tried.filter((trial) => trial !== best);
      const figures = trialFigures(best, others, []);
      expect(figures.count).toBe(50);
      if (figures.probabilisticSharpe! >= 0.95) alone++;
      if (figures.deflatedSharpe! >= 0.95) deflated++;
    }
    expect(alone).toBeGreaterThan(80);
    expect(deflated).toBeLessThanOrEqual(10);
  });

  test('leave a true difference standing', () => {
    const random = new Random(8);
    const others = Array.from({ length: 20 }, () => noise(random));
    const figures = trialFigures(noise(random, 0.02), others, others);
    expect(figures.deflatedSharpe).toBeGreaterThan(0.95);
    expect(figures.overfitting).toBeLessThan(0.2);
  });

  test('say nothing of a screen whose excess never varies, or of too few trials on the same days', () => {
    const nothing = { ...PERIOD, excess: Array.from({ length: 59 }, () => 0) };
    expect(trialFigures(nothing, [], [])).toEqual({
      count: 1,
      sharpe: undefined,
      expectedBestSharpe: 0,
      probabilisticSharpe: undefined,
      deflatedSharpe: undefined,
      overfitting: undefined,
    });
  });
});

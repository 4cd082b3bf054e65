import { expect, test } from 'vitest';
import { evidenceOf, verdictOf } from './evidence.ts';
import { MODELS } from './registry.ts';

test('every published model has evidence of the real market, with an interval around its figure', () => {
  for (const { id } of MODELS.slice(0, 6)) {
    const { value, low, high, market } = evidenceOf(id)!;
    expect(low < value && value < high, id).toBe(true);
    expect(market).toBe('real');
  }
});

test.each([
  [{ statistic: 'lift', low: 1.01, high: 1.4 }, 'better_than_chance'],
  [{ statistic: 'lift', low: 0.94, high: 1.23 }, 'not_shown'],
  [{ statistic: 'lift', low: 0.8, high: 0.99 }, 'worse'],
  [{ statistic: 'excess_net_return_pct', low: 0, high: 0.6 }, 'not_shown'],
  [{ statistic: 'excess_net_return_pct', low: -0.75, high: -0.19 }, 'worse'],
] as const)('%j is %s', (measured, verdict) => expect(verdictOf(measured)).toBe(verdict));

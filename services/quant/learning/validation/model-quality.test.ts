import { expect, test } from 'vitest';
import { modelQuality } from './model-quality.ts';

const outcomes = (...list: [won: boolean, netReturn: number][]) =>
  list.map(([won, netReturn]) => ({ won, netReturn }));

test('the win rate counts targets, the payoff sets gains against losses, timeouts by their sign', () => {
  const past = outcomes(
    [true, 0.08],
    [true, 0.06],
    [false, -0.06],
    [false, -0.04],
    [false, 0.01],
    [false, -0.02],
  );
  // Gains .08 .06 .01: mean .05; losses .06 .04 .02: mean .04.
  expect(modelQuality(past)).toEqual({ win_rate: 33.3, payoff: 1.25, candidates: 6 });
});

test('without candidates there is neither', () => {
  expect(modelQuality([])).toEqual({ win_rate: null, payoff: null, candidates: 0 });
});

test('without a gain, or without a loss, there is no payoff', () => {
  expect(modelQuality(outcomes([true, 0.08]))).toEqual({ win_rate: 100, payoff: null, candidates: 1 });
  expect(modelQuality(outcomes([false, -0.05]))).toEqual({ win_rate: 0, payoff: null, candidates: 1 });
});

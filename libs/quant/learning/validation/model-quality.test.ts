import { expect, test } from 'vitest';
import { modelQuality } from './model-quality.ts';

const outcomes = (...list: [won: boolean, netReturn: number][]) =>
  list.map(([won, netReturn]) => ({ filled: true, won, netReturn }));
const UNFILLED = { filled: false, won: false, netReturn: 0 };

test('the win rate counts reached targets; the payoff compares gains with losses, timeouts included by sign', () => {
  const past = outcomes(
    [true, 0.08],
    [true, 0.06],
    [false, -0.06],
    [false, -0.04],
    [false, 0.01],
    [false, -0.02],
  );
  // Gains .08 .06 .01 have a mean of .05; losses .06 .04 .02 have a mean of .04.
  expect(modelQuality(past)).toEqual({ win_rate: 33.3, payoff: 1.25, candidates: 6, unfilled: 0 });
});

test('without candidates there is no win rate and no payoff, and every member that is there is a number', () => {
  expect(modelQuality([])).toStrictEqual({ candidates: 0, unfilled: 0 });
});

test('unfilled orders are counted separately and change nothing else', () => {
  const bought = outcomes([true, 0.08], [false, -0.04]);
  expect(modelQuality([...bought, UNFILLED])).toEqual({ ...modelQuality(bought), unfilled: 1 });
});

test('what nobody could sell counts in the win rate, and neither as a gain nor as a loss', () => {
  const sold = outcomes([true, 0.08], [false, -0.04]);
  expect(modelQuality([...sold, ...outcomes([false, NaN])])).toEqual({
    ...modelQuality(sold),
    win_rate: 33.3,
    candidates: 3,
  });
});

test('without a gain, or without a loss, there is no payoff', () => {
  expect(modelQuality(outcomes([true, 0.08]))).toStrictEqual({
    win_rate: 100,
    candidates: 1,
    unfilled: 0,
  });
  expect(modelQuality(outcomes([false, -0.05]))).toStrictEqual({
    win_rate: 0,
    candidates: 1,
    unfilled: 0,
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { walkForwardFolds } from '#quant/learning/walk-forward/folds.ts';
import { leastTrainDays, walkForward } from '../inputs/history.ts';

const horizon = fc.integer({ min: 5, max: 40 });

describe('folds', () => {
  test('are five of 50 days in a window of 500 days, and shorter in a shorter window', () => {
    expect(walkForward(500, 20)).toMatchObject({ folds: 5, foldDays: 50, purgeDays: 20, embargoDays: 5 });
    expect(walkForward(1_000, 20).foldDays).toBe(50);
    expect(walkForward(250, 20).foldDays).toBe(25);
  });

  test('number five, each with at least 40 training days, in the shortest window and any longer one', () => {
    fc.assert(
      fc.property(horizon, fc.nat(900), (horizonDays, more) => {
        const trainDays = leastTrainDays(horizonDays) + more;
        const days = Uint16Array.from({ length: trainDays }, (_, day) => day);
        const folds = walkForwardFolds(days, walkForward(trainDays, horizonDays));
        expect(folds).toHaveLength(5);
        for (const { train } of folds) expect(train.to - train.from).toBeGreaterThanOrEqual(40);
        // The last fold counts: the outcomes that chose the rounds are known before it.
        expect(folds[4]!.train.to).toBeGreaterThanOrEqual(folds[0]!.validation.to);
      }),
    );
  });
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { walkForwardFolds } from '#quant/learning/walk-forward/folds.ts';
import { EMBARGO_DAYS, leastTrainDays } from '../inputs/history.ts';
import { recoveryFolds } from './learning.ts';

test('folds number three, and the last measures exactly if it is longer than horizon and embargo', () => {
  fc.assert(
    fc.property(fc.constantFrom(10, 20, 30, 40), fc.nat(600), (horizonDays, more) => {
      const trainDays = leastTrainDays(horizonDays) + more;
      const days = Uint16Array.from({ length: trainDays }, (_, day) => day);
      const options = recoveryFolds(trainDays, horizonDays);
      const folds = walkForwardFolds(days, options);
      expect(folds).toHaveLength(3);
      for (const { train } of folds) expect(train.to - train.from).toBeGreaterThanOrEqual(40);
      const isMeasured = folds[2]!.train.to >= folds[0]!.validation.to;
      expect(isMeasured).toBe(options.foldDays >= horizonDays + EMBARGO_DAYS);
    }),
  );
});

test('forecasts for every horizon are measured in the window that a run learns from when the data has it', () => {
  for (const horizonDays of [10, 20, 30, 40])
    expect(recoveryFolds(750, horizonDays).foldDays).toBeGreaterThanOrEqual(horizonDays + EMBARGO_DAYS);
});

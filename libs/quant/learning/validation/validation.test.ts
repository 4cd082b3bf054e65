import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { auc, calibrationError, reliabilityTable, brierScore, logLoss } from './scoring.ts';
import { walkForwardFolds, type WalkForward } from '../walk-forward/folds.ts';

const rows = fc.array(fc.tuple(fc.integer({ min: -5, max: 5 }), fc.nat(1)), { minLength: 1, maxLength: 60 });

describe('AUC', () => {
  test('is the share of ordered pairs, with ties counted half', () => {
    fc.assert(
      fc.property(rows, (list) => {
        let [inOrder, pairs] = [0, 0];
        for (const [a, label] of list) {
          for (const [b, other] of list) {
            if (label !== 1 || other !== 0) continue;
            pairs++;
            inOrder += a > b ? 1 : a === b ? 0.5 : 0;
          }
        }
        const scores = Float32Array.from(list, ([score]) => score);
        const labels = list.map(([, label]) => label);
        const area = auc(scores, labels);
        if (pairs === 0) expect(area).toBeNaN();
        else expect(area).toBeCloseTo(inOrder / pairs, 10);
      }),
    );
  });
});

describe('scoring rules', () => {
  const labels = [1, 0];
  const weights = [3, 1];

  test('match their definitions for a binary forecast', () => {
    const forecasts = { probabilities: [0.8, 0.4], scores: 1, labels, weights };
    expect(logLoss(forecasts)).toBeCloseTo(-(3 * Math.log(0.8) + Math.log(0.6)) / 4, 12);
    expect(brierScore(forecasts)).toBeCloseTo((3 * 0.04 + 0.16) / 4, 12);
  });

  test('match their definitions for a forecast of three classes', () => {
    const forecasts = { probabilities: [0.2, 0.7, 0.1, 0.5, 0.25, 0.25], scores: 3, labels, weights };
    expect(logLoss(forecasts)).toBeCloseTo(-(3 * Math.log(0.7) + Math.log(0.5)) / 4, 12);
    expect(brierScore(forecasts)).toBeCloseTo((3 * (0.04 + 0.09 + 0.01) + (0.25 + 0.0625 + 0.0625)) / 4, 12);
  });

  test('stay finite for a forecast that was certain and wrong', () => {
    expect(logLoss({ probabilities: [0], scores: 1, labels: [1] })).toBeCloseTo(20.7, 1);
  });
});

describe('reliability', () => {
  const table = reliabilityTable([0, 0.2, 0.25, 0.25, 0.75, 1], [0, 0, 1, 1, 1, 1], 4);

  test('compares forecasts with outcomes in intervals that include their upper bounds', () => {
    expect(table.map(({ weight }) => weight)).toEqual([4, 0, 1, 1]);
    expect(table[0]).toEqual({ from: 0, to: 0.25, weight: 4, forecast: 0.7 / 4, observed: 0.5 });
    expect(table[1]).toMatchObject({ forecast: null, observed: null });
  });

  test('has a calibration error that is the mean distance of the rows', () => {
    expect(calibrationError(table)).toBeCloseTo((4 * (0.5 - 0.175) + 0.25 + 0) / 6, 12);
  });
});

describe('walk-forward folds', () => {
  const options = fc.record({
    folds: fc.integer({ min: 1, max: 6 }),
    foldDays: fc.integer({ min: 1, max: 20 }),
    purgeDays: fc.nat(20),
    embargoDays: fc.nat(5),
    leastTrainDays: fc.nat(30),
  });
  const days = fc.array(fc.nat(3), { maxLength: 300 }).map((steps) =>
    Uint16Array.from(
      steps.map(
        (
          (sum) => (step: number) =>
            (sum += step === 3 ? 1 : 0)
        )(100),
      ),
    ),
  );

  test('never train on a row whose label reaches a validated day, nor on a later row', () => {
    fc.assert(
      fc.property(days, options, (list, wanted) => {
        for (const { train, validation } of walkForwardFolds(list, wanted)) {
          const lastTrained = list[train.to - 1]!;
          const firstValidated = list[validation.from] ?? Infinity;
          expect(lastTrained + wanted.purgeDays + wanted.embargoDays).toBeLessThan(firstValidated);
          expect(train.from).toBe(0);
          expect(lastTrained - list[0]! + 1).toBeGreaterThan(0);
        }
      }),
    );
  });

  test('follow each other without gap or overlap up to the last row', () => {
    fc.assert(
      fc.property(days, options, (list, wanted) => {
        const folds = walkForwardFolds(list, wanted);
        for (const [i, { validation }] of folds.entries())
          expect(validation.to).toBe(folds[i + 1]?.validation.from ?? list.length);
      }),
    );
  });

  test('start and end on the expected rows', () => {
    const list = Array.from({ length: 100 }, (_, day) => [day, day]).flat();
    const wanted: WalkForward = { folds: 3, foldDays: 20, purgeDays: 10, embargoDays: 5, leastTrainDays: 30 };
    expect(walkForwardFolds(list, wanted)).toEqual([
      { train: { from: 0, to: 90 }, validation: { from: 120, to: 160 } },
      { train: { from: 0, to: 130 }, validation: { from: 160, to: 200 } },
    ]);
  });

  test('refuse rows out of order', () => {
    const wanted = { folds: 1, foldDays: 1, purgeDays: 0, embargoDays: 0, leastTrainDays: 0 };
    expect(() => walkForwardFolds([1, 2, 1], wanted)).toThrow('row 2');
  });
});

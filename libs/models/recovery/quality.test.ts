import { expect, test } from 'vitest';
import type { FoldForecasts } from '#quant/learning/walk-forward/fold-calibrations.ts';
import { baseRates, cautionOf, recoveryQuality } from './quality.ts';

/** Buckets by row: first the rows trained on, half CRASH and half RALLY, then the rows of later days. */
const labels = Uint8Array.of(0, 4, 0, 4, 0, 4);
const SURE_OF_RALLY = [0, 0, 0, 0, 1];
const EVEN = [0.2, 0.2, 0.2, 0.2, 0.2];

function fold(probabilities: number[] | null): FoldForecasts {
  return {
    train: { from: 0, to: 4 },
    validation: { from: 4, to: 6 },
    classes: 5,
    scores: new Float32Array(10),
    labels: labels.subarray(4, 6),
    weights: Float64Array.of(1, 1),
    probabilities: probabilities && Float32Array.from(probabilities),
  };
}

test('base rates are the shares of the buckets', () => {
  expect(baseRates(Uint8Array.of(0, 1, 1, 4))).toEqual([0.25, 0.5, 0, 0, 0.25]);
});

test('forecasts are measured against the base rates of their own training rows', () => {
  const quality = recoveryQuality({ folds: [fold(null), fold([...EVEN, ...SURE_OF_RALLY])] }, labels);
  expect(quality).toEqual({
    log_loss: Number((Math.log(5) / 2).toFixed(4)),
    climatology_log_loss: Number(Math.log(2).toFixed(4)),
    brier_score: 0.4,
    climatology_brier_score: 0.5,
    brier_skill: 0.2,
    candidates: 2,
  });
});

test('there is no skill when the climatology was always right', () => {
  const same = Uint8Array.of(2, 2, 2, 2, 2, 2);
  const sure = { ...fold([0, 0, 1, 0, 0, 0, 0, 1, 0, 0]), labels: same.subarray(4, 6) };
  const quality = recoveryQuality({ folds: [sure] }, same);
  expect(quality.brier_score).toBe(0);
  expect(quality).not.toHaveProperty('brier_skill');
});

test('without forecasts there are no figures', () => {
  expect(recoveryQuality({ folds: [fold(null)] }, labels)).toStrictEqual({ candidates: 0 });
});

test('forecasts that were not measured, that are no better and that are better get different cautions', () => {
  const better = cautionOf({ brier_skill: 0.04, candidates: 90 });
  const worse = cautionOf({ brier_skill: 0, candidates: 90 });
  const unmeasured = cautionOf({ candidates: 0 });
  expect(better).toBeUndefined();
  expect(worse?.in.id).toMatch(/tidak lebih baik daripada frekuensi rata-rata pasar/);
  expect(worse?.in.en).toMatch(/no better than the average frequencies/);
  expect(unmeasured?.in.id).toMatch(/^Riwayat data terlalu pendek/);
  expect(unmeasured?.in.en).toMatch(/^The history is too short/);
  // Nothing can be better than a climatology that was always right.
  expect(cautionOf({ candidates: 90 })).toEqual(worse);
});

test('the fold that chose the rounds does not count', () => {
  const alone = recoveryQuality({ folds: [fold([...EVEN, ...EVEN])] }, labels);
  expect(recoveryQuality({ folds: [fold(null), fold([...EVEN, ...EVEN])] }, labels)).toEqual(alone);
});

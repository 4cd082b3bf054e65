import { calibrated } from '../calibration/calibration.ts';
import type { FoldCalibrations } from './fold-calibrations.ts';
import type { ScoredFold } from './scored-fold.ts';

export interface FoldForecasts extends ScoredFold {
  /** Calibrated on the folds before, in the order of `scores`; null of the first fold, which has none before it. */
  probabilities: Float32Array | null;
}

/** Probabilities as they would have been given at the time (Dawid 1984: forecasts judged one after the other). */
export function prequential(folds: readonly ScoredFold[], calibrations: FoldCalibrations): FoldForecasts[] {
  return folds.map((fold, i) => {
    if (i === 0) return { ...fold, probabilities: null };
    const scores = fold.classes === 2 ? 1 : fold.classes;
    return { ...fold, probabilities: calibrated(calibrations.after(i), fold.scores, scores) };
  });
}

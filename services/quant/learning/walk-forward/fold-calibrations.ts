import type { RowRange } from '#quant/panel/ranges.ts';
import { calibrated, type Calibration } from '../calibration/calibration.ts';
import { fitIsotonic } from '../calibration/isotonic.ts';
import { fitPlatt, smoothedTargets } from '../calibration/platt.ts';
import { fitTemperature } from '../calibration/temperature.ts';
import { logLoss } from '../validation/scoring.ts';
import type { Fold } from './folds.ts';

/** Rows of a fold, scored by the model trained on the rows before them. */
export interface ScoredFold extends Fold {
  classes: number;
  /**
   * One validated row after the other. For two classes, the raw score less the base score: what the trees add to the log-odds
   * of label 1 among their training rows. The base score follows the market and differs from fold to fold. For more classes,
   * `classes` raw scores for each row.
   */
  scores: Float32Array;
  /** Labels of the validated rows. */
  labels: Uint8Array;
  weights: Float64Array;
}

/** The rows of several folds as one list. Weights have a mean of 1. */
function pooled(folds: readonly ScoredFold[]): Pick<ScoredFold, 'classes' | 'scores' | 'labels' | 'weights'> {
  const classes = folds[0]!.classes;
  const rows = folds.reduce((sum, { labels }) => sum + labels.length, 0);
  const scores = new Float32Array(rows * (classes === 2 ? 1 : classes));
  const labels = new Uint8Array(rows);
  const weights = new Float64Array(rows);
  let row = 0;
  for (const fold of folds) {
    scores.set(fold.scores, (row * scores.length) / rows);
    labels.set(fold.labels, row);
    weights.set(fold.weights, row);
    row += fold.labels.length;
  }
  return { classes, scores, labels, weights: withMeanOne(weights) };
}

/** With fewer rows of label 1 than this, an isotonic curve follows their noise (Niculescu-Mizil & Caruana 2005). */
const MIN_POSITIVES_OF_ISOTONIC = 1_000;
/** On a single fold either calibration can be better by chance. */
const MIN_WINS_OF_ISOTONIC = 2;

/**
 * Strength of the prior that the slope is 1, in folds. Scores of trees that stopped early are about log-odds already, and the
 * outcomes of one fold, which overlap and share a market, say little about the slope. Chosen on seven days of 2021 to 2024 of
 * the real market by the log-loss of the following folds: with 3 it was .00035 lower than without a prior, and .00015 lower
 * than with 1. A higher value would gain slightly more, but the fit could then no longer detect that scores carry no
 * information.
 */
const TRUST_FOLDS = 3;

/** Calibrations fitted to the first fold, the first two folds, and so on. Each is fitted once. */
export class FoldCalibrations {
  readonly #folds: readonly ScoredFold[];
  readonly #platt: (count: number) => Calibration;
  readonly #isotonic: (count: number) => Calibration;

  /** @param folds in order of time */
  constructor(folds: readonly ScoredFold[]) {
    this.#folds = folds;
    this.#platt = once((count) => {
      const { scores, labels, weights } = pooled(folds.slice(0, count));
      return fitPlatt(scores, labels, weights, TRUST_FOLDS / count);
    });
    this.#isotonic = once((count) => {
      const { scores, labels, weights } = pooled(folds.slice(0, count));
      return fitIsotonic(scores, labels, weights);
    });
  }

  /**
   * The calibration supported by the first `count` folds. Several classes: a temperature. Two classes: Platt's sigmoid,
   * unless there are enough rows of label 1 for an isotonic curve, and on every later fold the curve fitted to the folds
   * before it did better.
   */
  after(count: number): Calibration {
    const { classes, scores, labels, weights } = pooled(this.#folds.slice(0, count));
    if (classes > 2) return fitTemperature(scores, classes, labels, weights);
    const positives = labels.reduce((sum, label) => sum + label, 0);
    if (positives < MIN_POSITIVES_OF_ISOTONIC) return this.#platt(count);
    return this.#isCurveBetter(count) ? this.#isotonic(count) : this.#platt(count);
  }

  #isCurveBetter(count: number): boolean {
    const ahead = this.#folds.slice(1, count);
    const isBetter = (fold: ScoredFold, i: number) =>
      lossOf(this.#isotonic(i + 1), fold) < lossOf(this.#platt(i + 1), fold);
    return ahead.length >= MIN_WINS_OF_ISOTONIC && ahead.every(isBetter);
  }
}

/** Log-loss of a fold's scores under a calibration. */
function lossOf(calibration: Calibration, { scores, labels, weights }: ScoredFold): number {
  return logLoss({ probabilities: calibrated(calibration, scores, 1), scores: 1, labels, weights });
}

function once(make: (count: number) => Calibration): (count: number) => Calibration {
  const made = new Map<number, Calibration>();
  return (count) => {
    const calibration = made.get(count) ?? make(count);
    made.set(count, calibration);
    return calibration;
  };
}

export interface FoldForecasts extends ScoredFold {
  /** Calibrated on the earlier folds, in the order of `scores`; null for the first fold, which has no earlier fold. */
  probabilities: Float32Array | null;
}

/** Probabilities as they would have been given at the time (prequential forecasts: Dawid 1984). */
export function prequential(folds: readonly ScoredFold[], calibrations: FoldCalibrations): FoldForecasts[] {
  return folds.map((fold, i) => {
    if (i === 0) return { ...fold, probabilities: null };
    const scores = fold.classes === 2 ? 1 : fold.classes;
    return { ...fold, probabilities: calibrated(calibrations.after(i), fold.scores, scores) };
  });
}

/**
 * Weighted share of label 1 in these folds, by Platt's targets. It is the mean probability that a sigmoid fitted to these
 * folds gives to their rows, and the probability of every row when scores carry no information.
 */
export function baseRate(folds: readonly ScoredFold[]): number {
  const { labels, weights } = pooled(folds);
  return smoothedTargets(labels, weights).rate;
}

/** Scales weights to a mean of 1 over a range of rows, so that regularisation and smoothing mean the same for any range. */
export function withMeanOne(
  weights: Float64Array,
  { from, to }: RowRange = { from: 0, to: weights.length },
): Float64Array {
  let sum = 0;
  for (let row = from; row < to; row++) sum += weights[row]!;
  const scale = (to - from) / sum;
  // A loop, because `map` with a function takes ten times as long.
  const scaled = new Float64Array(weights.length);
  for (let row = 0; row < weights.length; row++) scaled[row] = weights[row]! * scale;
  return scaled;
}

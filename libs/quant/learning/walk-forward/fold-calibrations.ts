import type { RowRange } from '#quant/panel/ranges.ts';
import { calibrated, type Calibration } from '../calibration/calibration.ts';
import { fitIsotonic } from '../calibration/isotonic.ts';
import { fitPlatt, smoothedTargets } from '../calibration/platt.ts';
import { type ChanceBounds, supportedChances, within } from '../calibration/supported-chances.ts';
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
 * the real market by the log-loss of the following folds, while a fold was still calibrated on all outcomes of the folds before
 * it: with 3 it was .00035 lower than without a prior, and .00015 lower than with 1. It has not been measured again since only
 * outcomes known by then count. A higher value would have gained slightly more, but the fit could then no longer detect that
 * scores carry no information.
 */
const TRUST_FOLDS = 3;

/** Folds whose outcomes are known, and how many whole folds they amount to. */
interface Known {
  folds: readonly ScoredFold[];
  count: number;
}

/** The same with their rows in one list. */
type PooledKnown = Known & Pick<ScoredFold, 'classes' | 'scores' | 'labels' | 'weights'>;

/**
 * Rows of the folds that come before row `until`: those whose outcomes are known to whoever learns from the rows before it.
 * Folds that begin later are left out.
 */
export function knownBefore(folds: readonly ScoredFold[], until: number): Known {
  const known = folds.filter(({ validation }) => validation.from < until);
  const kept = known.map((fold) => cut(fold, Math.min(until, fold.validation.to)));
  const count = kept.reduce((sum, { labels }, i) => sum + labels.length / known[i]!.labels.length, 0);
  return { folds: kept, count };
}

function cut(fold: ScoredFold, to: number): ScoredFold {
  const { validation, classes, scores, labels, weights } = fold;
  const rows = to - validation.from;
  return {
    ...fold,
    validation: { from: validation.from, to },
    scores: scores.subarray(0, rows * (classes === 2 ? 1 : classes)),
    labels: labels.subarray(0, rows),
    weights: weights.subarray(0, rows),
  };
}

/** Calibrations fitted to the folds known at several times. Each is fitted once. */
export class FoldCalibrations {
  /** Undefined when no outcome of a fold is known. */
  readonly #known: (until: number) => PooledKnown | undefined;
  readonly #platt: (until: number) => Calibration;
  readonly #isotonic: (until: number) => Calibration;

  /** @param folds in order of time */
  constructor(folds: readonly ScoredFold[]) {
    this.#known = once((until) => {
      const known = knownBefore(folds, until);
      return known.folds.length === 0 ? undefined : { ...known, ...pooled(known.folds) };
    });
    this.#platt = once((until) => {
      const known = this.#known(until)!;
      const { scores, labels, weights, count } = known;
      return within(supportedBy(known), fitPlatt(scores, labels, weights, TRUST_FOLDS / count));
    });
    this.#isotonic = once((until) => {
      const known = this.#known(until)!;
      const { scores, labels, weights } = known;
      return within(supportedBy(known), fitIsotonic(scores, labels, weights));
    });
  }

  /**
   * The calibration that the rows of folds before row `until` support; null when there are none. Several classes: a
   * temperature. Two classes: Platt's sigmoid, unless there are enough rows of label 1 for an isotonic curve, and on every
   * later fold the curve fitted to what was known before it did better.
   */
  before(until: number): Calibration | null {
    const known = this.#known(until);
    if (!known) return null;
    const { classes, scores, labels, weights } = known;
    if (classes > 2) return fitTemperature(scores, classes, labels, weights);
    const positives = labels.reduce((sum, label) => sum + label, 0);
    const isCurve = positives >= MIN_POSITIVES_OF_ISOTONIC && this.#isCurveBetter(known);
    return isCurve ? this.#isotonic(until) : this.#platt(until);
  }

  /** The calibration that all folds support. */
  ofAll(): Calibration {
    return this.before(Infinity)!;
  }

  #isCurveBetter({ folds }: Known): boolean {
    const ahead = folds.filter(({ train }) => this.#known(train.to));
    const isBetter = (fold: ScoredFold) =>
      lossOf(this.#isotonic(fold.train.to), fold) < lossOf(this.#platt(fold.train.to), fold);
    return ahead.length >= MIN_WINS_OF_ISOTONIC && ahead.every(isBetter);
  }
}

function supportedBy({ folds, labels, weights }: PooledKnown): ChanceBounds {
  return supportedChances(smoothedTargets(labels, weights).rate, decidedOutcomes(folds));
}

/** Rows with weight. Others were never decided, because nothing was bought. */
export function decidedOutcomes(folds: readonly Pick<ScoredFold, 'weights'>[]): number {
  let decided = 0;
  for (const { weights } of folds)
    for (let row = 0; row < weights.length; row++) if (weights[row]! > 0) decided++;
  return decided;
}

/** Log-loss of a fold's scores under a calibration. */
function lossOf(calibration: Calibration, { scores, labels, weights }: ScoredFold): number {
  return logLoss({ probabilities: calibrated(calibration, scores, 1), scores: 1, labels, weights });
}

function once<T>(make: (until: number) => T): (until: number) => T {
  const made = new Map<number, { value: T }>();
  return (until) => {
    const one = made.get(until) ?? { value: make(until) };
    made.set(until, one);
    return one.value;
  };
}

export interface FoldForecasts extends ScoredFold {
  /**
   * In the order of `scores`, calibrated on rows of earlier folds. Null when no outcome of an earlier fold, or not every outcome
   * that chose the number of rounds, was known before the fold: the first fold, and the next ones while labels reach into them.
   */
  probabilities: Float32Array | null;
}

/**
 * Probabilities as they would have been given at the time (prequential forecasts: Dawid 1984). A fold is calibrated on rows that
 * lie among its training rows, so that the same purge and embargo separate it from everything that shapes its forecasts.
 */
export function prequential(folds: readonly ScoredFold[], calibrations: FoldCalibrations): FoldForecasts[] {
  const roundsKnownAt = folds[0]!.validation.to;
  return folds.map((fold) => {
    const calibration = fold.train.to < roundsKnownAt ? null : calibrations.before(fold.train.to);
    const scores = fold.classes === 2 ? 1 : fold.classes;
    return { ...fold, probabilities: calibration && calibrated(calibration, fold.scores, scores) };
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

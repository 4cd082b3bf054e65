import { logistic, type Calibration } from './calibration.ts';

const MAX_STEPS = 100;
/** Smallest predicted decrease of the mean loss worth a line search. Below it, a search would only follow rounding errors. */
const MIN_PROMISE = 1e-12;
const MIN_STEP = 1e-10;
/** Keeps the Hessian invertible when all scores are equal. */
const RIDGE = 1e-12;
/**
 * Widest standard deviation of the prior on the slope. A prior only relative to what the rows say of the slope vanishes with the
 * spread of their scores: a slope of 100,000 then fits scores that differ by rounding, and makes certainties of the scores of a
 * model whose trees do split.
 */
const WIDEST_PRIOR = 1;
/** Fraction of the predicted decrease that a step must achieve (Armijo's rule). */
const KEPT = 1e-4;

/**
 * Fits Platt's sigmoid, 1 / (1 + e^-(slope × score + intercept)), by maximum likelihood.
 *
 * Targets are moved inwards from 1 and 0 as in Platt (1999), so that separable scores also have a finite fit. Uses Newton's
 * method with a line search after Lin, Lin & Weng (2007), on scores less their mean. A fitted slope below 0 would reverse the
 * model's order; it becomes 0, which gives every row the same probability.
 *
 * @param labels 0 or 1
 * @param weights 1 when absent
 * @param trust strength of the prior that the slope is 1, i.e. that scores are log-odds already: a normal prior whose
 *   precision is `trust` times that of the rows at their mean rate, and whose standard deviation is at most 1. With 0 there is
 *   no prior
 */
export function fitPlatt(
  scores: ArrayLike<number>,
  labels: ArrayLike<number>,
  weights?: ArrayLike<number>,
  trust = 0,
): Calibration {
  const points = pointsOf(scores, labels, weights, trust);
  const { slope, intercept } = fit(points);
  if (slope <= 0) return { kind: 'platt', slope: 0, intercept: Math.log(points.odds) };
  return { kind: 'platt', slope, intercept: intercept - slope * points.centre };
}

/** Groups of rows with about the same score. Each group counts as one row. */
interface Points {
  /** Mean score of each group, less the mean of all rows. */
  scores: Float64Array;
  /** Mean target of each group. */
  targets: Float64Array;
  weights: Float64Array;
  centre: number;
  /** Odds of label 1, by the targets. */
  odds: number;
  /** Penalty on the slope in the mean loss: `precision` × (slope - 1)² / 2. */
  precision: number;
}

/**
 * Maximum number of groups that the range of scores is divided into. A step of the fit then costs as much for a hundred
 * thousand rows as for four thousand. A probability changes by less than 1e-6.
 */
const MAX_GROUPS = 4_096;

function pointsOf(
  scores: ArrayLike<number>,
  labels: ArrayLike<number>,
  given: ArrayLike<number> | undefined,
  trust: number,
): Points {
  const { high, low, rate } = smoothedTargets(labels, given);
  const groups = grouped(scores, labels, given);
  const total = sum(groups.weights);
  const centre = sum(groups.scoreSums) / total;
  const order = Uint32Array.from(groups.weights.keys()).filter((i) => groups.weights[i]! > 0);
  const weights = Float64Array.from(order, (i) => groups.weights[i]!);
  const points = {
    scores: Float64Array.from(order, (i) => groups.scoreSums[i]! / groups.weights[i]! - centre),
    targets: Float64Array.from(order, (i) => low + ((high - low) * groups.ones[i]!) / groups.weights[i]!),
    weights,
  };
  const squares = points.scores.reduce((total, score, i) => total + weights[i]! * score ** 2, 0);
  const relative = trust * rate * (1 - rate) * squares;
  const precision = trust > 0 ? Math.max(relative, WIDEST_PRIOR ** -2) / total : 0;
  return { ...points, centre, odds: rate / (1 - rate), precision };
}

/** Sums over the rows of each group. */
interface Groups {
  weights: Float64Array;
  scoreSums: Float64Array;
  /** Weight of label 1. */
  ones: Float64Array;
}

function grouped(
  scores: ArrayLike<number>,
  labels: ArrayLike<number>,
  given: ArrayLike<number> | undefined,
): Groups {
  let [lowest, highest] = [Infinity, -Infinity];
  for (let row = 0; row < labels.length; row++) {
    lowest = Math.min(lowest, scores[row]!);
    highest = Math.max(highest, scores[row]!);
  }
  const perScore = highest > lowest ? (MAX_GROUPS - 1) / (highest - lowest) : 0;
  const sums = () => new Float64Array(MAX_GROUPS);
  const groups: Groups = { weights: sums(), scoreSums: sums(), ones: sums() };
  for (let row = 0; row < labels.length; row++) {
    const group = Math.round((scores[row]! - lowest) * perScore);
    const weight = given?.[row] ?? 1;
    groups.weights[group]! += weight;
    groups.scoreSums[group]! += weight * scores[row]!;
    if (labels[row] === 1) groups.ones[group]! += weight;
  }
  return groups;
}

function sum(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0);
}

interface Line {
  slope: number;
  intercept: number;
}

function fit(points: Points): Line {
  let line: Line = { slope: 0, intercept: Math.log(points.odds) };
  let value = objective(points, line);
  for (let i = 0; i < MAX_STEPS; i++) {
    const { gradient, step } = newtonStep(points, line);
    const promise = gradient.slope * step.slope + gradient.intercept * step.intercept;
    if (-promise < MIN_PROMISE) return moved(line, step, 1);
    let size = 1;
    let [next, nextValue] = [moved(line, step, size), 0];
    while ((nextValue = objective(points, next)) > value + KEPT * size * promise && size > MIN_STEP) {
      size /= 2;
      next = moved(line, step, size);
    }
    if (size <= MIN_STEP) break;
    [line, value] = [next, nextValue];
  }
  return line;
}

function moved(line: Line, step: Line, size: number): Line {
  return { slope: line.slope + size * step.slope, intercept: line.intercept + size * step.intercept };
}

/** Mean of ln(1 + e^z) - target × z, in a form that does not overflow for large |z|, plus the penalty on the slope. */
function objective({ scores, targets, weights, precision }: Points, { slope, intercept }: Line): number {
  let [sum, total] = [0, 0];
  for (let i = 0; i < scores.length; i++) {
    const z = slope * scores[i]! + intercept;
    sum += weights[i]! * (Math.log1p(Math.exp(-Math.abs(z))) + Math.max(z, 0) - targets[i]! * z);
    total += weights[i]!;
  }
  return sum / total + (precision * (slope - 1) ** 2) / 2;
}

function newtonStep(
  { scores, targets, weights, precision }: Points,
  { slope, intercept }: Line,
): { gradient: Line; step: Line } {
  let [g1, g2, h11, h12, h22, total] = [0, 0, 0, 0, 0, 0];
  for (let i = 0; i < scores.length; i++) {
    const [x, w] = [scores[i]!, weights[i]!];
    const p = logistic(slope * x + intercept);
    const [error, curvature] = [w * (p - targets[i]!), w * p * (1 - p)];
    g1 += error * x;
    g2 += error;
    h11 += curvature * x * x;
    h12 += curvature * x;
    h22 += curvature;
    total += w;
  }
  [g1, g2] = [g1 / total + precision * (slope - 1), g2 / total];
  [h11, h12, h22] = [h11 / total + precision + RIDGE, h12 / total, h22 / total + RIDGE];
  const determinant = h11 * h22 - h12 * h12;
  return {
    gradient: { slope: g1, intercept: g2 },
    step: { slope: (h12 * g2 - h22 * g1) / determinant, intercept: (h12 * g1 - h11 * g2) / determinant },
  };
}

/** The targets of a calibration, and the share of label 1 according to them. */
interface SmoothedTargets {
  /** Target of rows with label 1, below 1. */
  high: number;
  /** Target of rows with label 0, above 0. */
  low: number;
  /** Weighted mean of the targets; never 0 or 1, even when all labels are equal. */
  rate: number;
}

/**
 * Labels moved inwards from 1 and 0 to (N1 + 1) / (N1 + 2) and 1 / (N0 + 2), where N1 and N0 are the weights of the labels:
 * the posterior means under Laplace's rule of succession (Platt 1999).
 *
 * @param labels 0 or 1
 * @param weights 1 when absent
 * @throws RangeError when no row has weight
 */
export function smoothedTargets(labels: ArrayLike<number>, weights?: ArrayLike<number>): SmoothedTargets {
  let [zeros, ones] = [0, 0];
  for (let row = 0; row < labels.length; row++) {
    const weight = weights?.[row] ?? 1;
    if (labels[row] === 1) ones += weight;
    else zeros += weight;
  }
  if (!(zeros + ones > 0)) throw new RangeError('a calibration needs rows with weight');
  const [high, low] = [(ones + 1) / (ones + 2), 1 / (zeros + 2)];
  return { high, low, rate: (high * ones + low * zeros) / (zeros + ones) };
}

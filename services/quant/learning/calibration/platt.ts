import { logistic, type Calibration } from './calibration.ts';

const MAX_STEPS = 100;
/** What a step must promise to lower the mean loss by; a line search for less would follow rounding errors alone. */
const MIN_PROMISE = 1e-12;
const MIN_STEP = 1e-10;
/** Keeps the Hessian invertible where all scores are alike. */
const RIDGE = 1e-12;
/** What part of its promise a step must keep (Armijo's rule). */
const KEPT = 1e-4;

/**
 * Platt's sigmoid, 1 / (1 + e^-(slope * score + intercept)), by maximum likelihood.
 *
 * Targets are drawn in from 1 and 0 as Platt (1999) does, so that separable scores have a finite fit too. Newton's
 * method with a line search after Lin, Lin & Weng (2007), on scores less their mean. A fitted slope below 0 would turn
 * the model's order around; it becomes 0, the same probability for all.
 *
 * @param labels 0 or 1
 * @param weights 1 where absent
 * @param trust how many times as much as these rows a slope of 1 counts, with which scores are log-odds as they are: a
 *   normal prior whose precision is that of the rows at their mean rate
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

interface Points {
  /** Less their mean. */
  scores: Float64Array;
  targets: Float64Array;
  weights: Float64Array;
  centre: number;
  /** Of label 1, by the targets. */
  odds: number;
  /** What a slope costs the mean loss for its distance from 1: this times half the square. */
  precision: number;
}

function pointsOf(
  scores: ArrayLike<number>,
  labels: ArrayLike<number>,
  given: ArrayLike<number> | undefined,
  trust: number,
): Points {
  const rows = labels.length;
  const { high, low, rate } = smoothedTargets(labels, given);
  const points = {
    scores: Float64Array.from(scores),
    targets: new Float64Array(rows),
    weights: given ? Float64Array.from(given) : new Float64Array(rows).fill(1),
  };
  let [total, scoreSum, squares] = [0, 0, 0];
  for (let i = 0; i < rows; i++) {
    total += points.weights[i]!;
    scoreSum += points.weights[i]! * points.scores[i]!;
  }
  const centre = scoreSum / total;
  for (let i = 0; i < rows; i++) {
    points.targets[i] = labels[i] === 1 ? high : low;
    points.scores[i]! -= centre;
    squares += points.weights[i]! * points.scores[i]! ** 2;
  }
  const precision = (trust * rate * (1 - rate) * squares) / total;
  return { ...points, centre, odds: rate / (1 - rate), precision };
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

/** Mean of ln(1 + e^z) - target * z, written so that neither end overflows, and what the slope costs. */
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

/** What a calibration aims at, and the share of label 1 that these targets come to. */
interface SmoothedTargets {
  /** Of rows of label 1, below 1. */
  high: number;
  /** Of rows of label 0, above 0. */
  low: number;
  /** Their mean over the rows, by weight; neither 0 nor 1 where all rows are alike. */
  rate: number;
}

/**
 * Labels drawn in from 1 and 0 to (N1 + 1) / (N1 + 2) and 1 / (N0 + 2), N1 and N0 the weights of either label: the
 * posterior means under Laplace's rule of succession (Platt 1999).
 *
 * @param labels 0 or 1
 * @param weights 1 where absent
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

/**
 * How raw scores become probabilities. The plain ones are the inverse links of the losses; the others are fitted to
 * scores of rows that no tree has seen.
 */
export type Calibration =
  | { kind: 'logistic' }
  | { kind: 'platt'; slope: number; intercept: number }
  | { kind: 'isotonic'; scores: readonly number[]; probabilities: readonly number[] }
  | { kind: 'softmax'; temperature: number };

/** Of a binary model without calibration, and of a multiclass one. */
export const LOGISTIC: Calibration = { kind: 'logistic' };
export const SOFTMAX: Calibration = { kind: 'softmax', temperature: 1 };

/** The calibration that says of scores `by` higher what this one says of scores as they are; of two classes. */
export function shifted(calibration: Calibration, by: number): Calibration {
  switch (calibration.kind) {
    case 'platt':
      return { ...calibration, intercept: calibration.intercept - calibration.slope * by };
    case 'isotonic':
      return { ...calibration, scores: calibration.scores.map((score) => Math.fround(score + by)) };
    default:
      throw new RangeError(`${calibration.kind} cannot be shifted`);
  }
}

/**
 * Probabilities from raw scores, one row after the other, `scores` of each: of label 1 by the first three kinds,
 * of every class by softmax.
 */
export function calibrated(calibration: Calibration, raw: ArrayLike<number>, scores: number): Float32Array {
  if (scores > 1 !== (calibration.kind === 'softmax'))
    throw new RangeError(`${calibration.kind} does not calibrate models of ${scores} scores a row`);
  if (calibration.kind === 'softmax') return softmaxRows(raw, scores, calibration.temperature);
  const ofScore = binaryFunction(calibration);
  // `Float32Array.from` goes through an iterator, which takes several times as long.
  const out = new Float32Array(raw.length);
  for (let row = 0; row < out.length; row++) out[row] = ofScore(raw[row]!);
  return out;
}

function binaryFunction(calibration: Exclude<Calibration, { kind: 'softmax' }>): (score: number) => number {
  switch (calibration.kind) {
    case 'logistic':
      return logistic;
    case 'platt':
      return (score) => logistic(calibration.slope * score + calibration.intercept);
    case 'isotonic':
      return (score) => between(calibration.scores, calibration.probabilities, score);
  }
}

export function logistic(x: number): number {
  return 1 / (1 + Math.exp(-x));
}

/** Straight between the points, level outside them; `xs` strictly ascending. */
function between(xs: readonly number[], ys: readonly number[], x: number): number {
  let sum = ys[0]!;
  for (let i = 1; i < xs.length && x > xs[i - 1]!; i++) {
    const part = Math.min(1, (x - xs[i - 1]!) / (xs[i]! - xs[i - 1]!));
    sum = ys[i - 1]! + (ys[i]! - ys[i - 1]!) * part;
  }
  return sum;
}

function softmaxRows(raw: ArrayLike<number>, classes: number, temperature: number): Float32Array {
  const out = new Float32Array(raw.length);
  for (let start = 0; start < raw.length; start += classes) {
    let largest = -Infinity;
    for (let k = 0; k < classes; k++) largest = Math.max(largest, raw[start + k]!);
    let sum = 0;
    for (let k = 0; k < classes; k++) sum += Math.exp((raw[start + k]! - largest) / temperature);
    for (let k = 0; k < classes; k++)
      out[start + k] = Math.exp((raw[start + k]! - largest) / temperature) / sum;
  }
  return out;
}

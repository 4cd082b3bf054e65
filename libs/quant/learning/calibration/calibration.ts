/**
 * How raw scores become probabilities. `logistic`, and `softmax` with temperature 1, are the inverse links of the losses. The
 * others are fitted to scores of rows that no tree was trained on.
 */
export type Calibration =
  | { kind: 'logistic' }
  | { kind: 'platt'; slope: number; intercept: number; bounds?: LogOddsBounds }
  | { kind: 'isotonic'; scores: readonly number[]; probabilities: readonly number[] }
  | { kind: 'softmax'; temperature: number };

/** What log-odds are cut to. */
interface LogOddsBounds {
  lowest: number;
  highest: number;
}

/** Defaults without a fit: LOGISTIC for a binary model, SOFTMAX for a multiclass one. */
export const LOGISTIC: Calibration = { kind: 'logistic' };
export const SOFTMAX: Calibration = { kind: 'softmax', temperature: 1 };

/** The calibration that gives `score + by` the probability that `calibration` gives `score`. Only Platt and isotonic. */
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
 * Converts raw scores to probabilities, row by row, `scores` values for each row: of label 1 for the first three kinds, of
 * every class for softmax.
 */
export function calibrated(calibration: Calibration, raw: ArrayLike<number>, scores: number): Float32Array {
  if (scores > 1 !== (calibration.kind === 'softmax'))
    throw new RangeError(`${calibration.kind} does not calibrate models of ${scores} scores a row`);
  if (calibration.kind === 'softmax') return softmaxRows(raw, scores, calibration.temperature);
  const ofScore = binaryFunction(calibration);
  // `Float32Array.from` uses an iterator, which takes several times as long.
  const out = new Float32Array(raw.length);
  for (let row = 0; row < out.length; row++) out[row] = ofScore(raw[row]!);
  return out;
}

function binaryFunction(calibration: Exclude<Calibration, { kind: 'softmax' }>): (score: number) => number {
  switch (calibration.kind) {
    case 'logistic':
      return logistic;
    case 'platt':
      return (score) => logistic(plattLogOdds(calibration, score));
    case 'isotonic':
      return (score) => between(calibration.scores, calibration.probabilities, score);
  }
}

export function plattLogOdds(
  { slope, intercept, bounds }: Extract<Calibration, { kind: 'platt' }>,
  score: number,
): number {
  const logOdds = slope * score + intercept;
  return bounds ? Math.min(Math.max(logOdds, bounds.lowest), bounds.highest) : logOdds;
}

export function logistic(x: number): number {
  return 1 / (1 + Math.exp(-x));
}

/** Linear interpolation between the points, constant outside them; `xs` strictly ascending. */
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

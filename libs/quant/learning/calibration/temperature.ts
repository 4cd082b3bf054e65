import type { Calibration } from './calibration.ts';

const MAX_STEPS = 50;
/** Bounds of 1 / temperature. Beyond them a model carries no information, or claims certainty. */
const MIN_SHARPNESS = 0.01;
const MAX_SHARPNESS = 100;

/**
 * Fits the temperature that divides raw scores before softmax so that held-out rows are most likely (Guo et al. 2017). The
 * log-loss is convex in 1 / temperature, so its slope crosses zero once. Uses Newton's method within a bracket.
 *
 * @param scores raw scores, row by row, `classes` values for each row
 * @param labels 0 to classes - 1
 * @param weights 1 when absent
 */
export function fitTemperature(
  scores: Float32Array,
  classes: number,
  labels: ArrayLike<number>,
  weights?: ArrayLike<number>,
): Calibration {
  let [low, high, sharpness] = [MIN_SHARPNESS, MAX_SHARPNESS, 1];
  for (let step = 0; step < MAX_STEPS; step++) {
    const { slope, curvature } = lossSlope(scores, classes, labels, weights, sharpness);
    if (slope > 0) high = sharpness;
    else low = sharpness;
    const newton = sharpness - slope / curvature;
    const next = newton > low && newton < high ? newton : Math.sqrt(low * high);
    const settled = Math.abs(next - sharpness) < 1e-9 * sharpness;
    sharpness = next;
    if (settled) break;
  }
  return { kind: 'softmax', temperature: 1 / sharpness };
}

/** First and second derivative of the summed log-loss with respect to 1 / temperature. */
function lossSlope(
  scores: Float32Array,
  classes: number,
  labels: ArrayLike<number>,
  weights: ArrayLike<number> | undefined,
  sharpness: number,
): { slope: number; curvature: number } {
  let [slope, curvature] = [0, 0];
  for (let row = 0, at = 0; at < scores.length; row++, at += classes) {
    let largest = -Infinity;
    for (let k = 0; k < classes; k++) largest = Math.max(largest, scores[at + k]!);
    let [sum, first, second] = [0, 0, 0];
    for (let k = 0; k < classes; k++) {
      const score = scores[at + k]! - largest;
      const power = Math.exp(sharpness * score);
      sum += power;
      first += power * score;
      second += power * score * score;
    }
    const mean = first / sum;
    const weight = weights?.[row] ?? 1;
    slope += weight * (mean - (scores[at + labels[row]!]! - largest));
    curvature += weight * (second / sum - mean * mean);
  }
  return { slope, curvature };
}

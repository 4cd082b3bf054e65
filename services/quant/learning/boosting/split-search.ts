import type { NodeSums } from './winners.ts';

/** What decides between splits, in the units of the fixed-point sums. */
export interface SplitRules {
  lambda: number;
  /** At least 1, so that no child is empty. */
  minChildHessian: number;
}

/** A split of one node: rows whose bin of `feature` is at most `bin` go left. */
export interface Split {
  /** What the split takes off the objective, without gamma; 0 when there is no split. */
  gain: number;
  feature: number;
  bin: number;
  leftGradient: number;
  leftHessian: number;
}

/**
 * Improves `best` by the splits of one feature: the first with the largest gain
 * G_l²/(H_l + λ) + G_r²/(H_r + λ) - G²/(H + λ) (Chen & Guestrin 2016, equation 7, without its constant half).
 *
 * @param cells hessian and gradient of each bin in turn, from index `start`
 * @param cuts splits there are: bins less one
 */
export function searchFeature(
  cells: Int32Array,
  start: number,
  cuts: number,
  feature: number,
  { gradient, hessian }: NodeSums,
  { lambda, minChildHessian }: SplitRules,
  best: Split,
): void {
  const unsplit = (gradient * gradient) / (hessian + lambda);
  let leftGradient = 0;
  let leftHessian = 0;
  for (let bin = 0; bin < cuts; bin++) {
    leftHessian += cells[start + 2 * bin]!;
    leftGradient += cells[start + 2 * bin + 1]!;
    if (leftHessian < minChildHessian) continue;
    const rightHessian = hessian - leftHessian;
    if (rightHessian < minChildHessian) break;
    const rightGradient = gradient - leftGradient;
    const gain =
      (leftGradient * leftGradient) / (leftHessian + lambda) +
      (rightGradient * rightGradient) / (rightHessian + lambda) -
      unsplit;
    if (gain > best.gain) {
      best.gain = gain;
      best.feature = feature;
      best.bin = bin;
      best.leftGradient = leftGradient;
      best.leftHessian = leftHessian;
    }
  }
}

import type { MemoryViews } from '../kernels/kernel-memory.ts';

/** Rules that decide between splits, in fixed-point units. */
export interface SplitRules {
  lambda: number;
  /** At least 1, so that no child is empty. */
  minChildHessian: number;
}

/** A split of one node: rows whose bin of `feature` is at most `bin` go left. */
export interface Split {
  /** Decrease of the objective, without gamma; 0 when there is no split. */
  gain: number;
  feature: number;
  bin: number;
  leftGradient: number;
  leftHessian: number;
}

/**
 * Updates `best` with the splits of one feature: the first split with the largest gain G_l²/(H_l + λ) + G_r²/(H_r + λ) -
 * G²/(H + λ) (Chen & Guestrin 2016, equation 7, without its constant half).
 *
 * @param cells hessian and gradient of each bin, alternating, from index `start`
 * @param cuts number of possible splits: bins less one
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

/** The gain as a 64-bit float, then six 32-bit integers. */
export const WINNER_BYTES = 32;

/** Sums over all rows of a node. */
export interface NodeSums {
  gradient: number;
  hessian: number;
}

/** Writes the best split that this member found for a node where the other members can read it. */
export function writeWinner({ f64, i32 }: MemoryViews, address: number, split: Split, sums: NodeSums): void {
  f64[address / 8] = split.gain;
  const word = address / 4 + 2;
  i32[word] = split.feature;
  i32[word + 1] = split.bin;
  i32[word + 2] = split.leftGradient;
  i32[word + 3] = split.leftHessian;
  i32[word + 4] = sums.gradient;
  i32[word + 5] = sums.hessian;
}

/**
 * The best of the splits written by `members` members, `stride` bytes apart. Members search features in ascending order, so
 * on equal gains the first member's split has the lowest feature. The winner is therefore the same for any number of members.
 */
export function readWinner(
  { f64, i32 }: MemoryViews,
  address: number,
  stride: number,
  members: number,
): Split & { sums: NodeSums } {
  let best = address;
  for (let member = 1; member < members; member++) {
    const other = address + member * stride;
    if (f64[other / 8]! > f64[best / 8]!) best = other;
  }
  const word = best / 4 + 2;
  return {
    gain: f64[best / 8]!,
    feature: i32[word]!,
    bin: i32[word + 1]!,
    leftGradient: i32[word + 2]!,
    leftHessian: i32[word + 3]!,
    sums: { gradient: i32[address / 4 + 6]!, hessian: i32[address / 4 + 7]! },
  };
}

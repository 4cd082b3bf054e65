import type { MemoryViews } from '../kernels/memory-views.ts';
import type { Split } from './split-search.ts';

/** Gain as a 64-bit float, then six 32-bit whole numbers, of which the last one is room. */
export const WINNER_BYTES = 32;

/** Sums over all rows of a node. */
export interface NodeSums {
  gradient: number;
  hessian: number;
}

/** Tells the other members the best split this one found for a node. */
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
 * The best of what `members` wrote, `stride` bytes apart. Members search features in ascending order, so of equal
 * gains the first member's has the lowest feature: the same winner, however many there are.
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

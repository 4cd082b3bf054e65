/** A row's gradient is kept in 16 bits with its sign. */
const LARGEST_GRADIENT = 32_767;
/** Sums stay below 2^31, less one part in a hundred for the rounding of up to 40 million rows. */
const LARGEST_SUM = 0.99 * 2 ** 31;

/**
 * Units of the fixed-point sums for a gradient of 1 of a row of weight 1. Neither gradient nor hessian of log-loss is
 * larger than the row's weight, so nothing can overflow. Whole numbers add up to the same sum in any order: a model
 * does not depend on how its rows were shared out, and a parent less one child is the other child exactly.
 */
export function fixedPointScale(totalWeight: number, largestWeight: number): number {
  return Math.fround(Math.min(LARGEST_GRADIENT / largestWeight, LARGEST_SUM / totalWeight));
}

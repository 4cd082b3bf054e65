import { ascendingOrder } from '../sorting/ascending-order.ts';

/**
 * Area under the ROC curve: the chance that a row of label 1 has a higher score than one of label 0, ties counting
 * half (Mann & Whitney 1947; Hanley & McNeil 1982), rows drawn by weight. NaN when one label has no weight.
 *
 * @param labels 0 or 1
 * @param weights 1 where absent
 */
export function auc(scores: Float32Array, labels: ArrayLike<number>, weights?: ArrayLike<number>): number {
  const order = ascendingOrder(scores);
  let [zerosBelow, onesBelow, pairs] = [0, 0, 0];
  for (let start = 0, end = 0; start < order.length; start = end) {
    const tied = scores[order[start]!]!;
    let [zeros, ones] = [0, 0];
    for (end = start; end < order.length && scores[order[end]!] === tied; end++) {
      const weight = weights?.[order[end]!] ?? 1;
      if (labels[order[end]!] === 1) ones += weight;
      else zeros += weight;
    }
    pairs += ones * (zerosBelow + zeros / 2);
    zerosBelow += zeros;
    onesBelow += ones;
  }
  return pairs / (zerosBelow * onesBelow);
}

import { ascendingOrder } from '../ascending-order.ts';
import type { Calibration } from './calibration.ts';

/** Maximum number of groups for the scores, so that a point rests on 1 % of the weight or more. */
const MAX_GROUPS = 100;

/** Rows with adjacent scores, and the average of their labels. */
interface Block {
  weight: number;
  /** Weighted means. */
  score: number;
  label: number;
}

/**
 * Fits a rising curve from scores to probabilities: pool adjacent violators (Ayer et al. 1955; Zadrozny & Elkan 2002) on
 * groups of adjacent scores, then straight lines between the centres of the pooled blocks (Oron & Flournoy 2017). Steps would
 * give many names the same probability. The curve is constant beyond the outer blocks.
 *
 * @param labels 0 or 1
 * @param weights 1 when absent
 */
export function fitIsotonic(
  scores: Float32Array,
  labels: ArrayLike<number>,
  weights?: ArrayLike<number>,
): Calibration {
  const blocks = pooled(groups(scores, labels, weights));
  if (blocks.length === 0) throw new RangeError('a calibration needs rows with weight');
  return {
    kind: 'isotonic',
    scores: blocks.map(({ score }) => score),
    probabilities: blocks.map(({ label }) => label),
  };
}

/** Groups in ascending order of score. Equal scores are never split, and what is left over joins the last group. */
function groups(scores: Float32Array, labels: ArrayLike<number>, weights?: ArrayLike<number>): Block[] {
  const order = ascendingOrder(scores);
  const least = totalWeight(labels.length, weights) / MAX_GROUPS;
  const out: Block[] = [];
  let [weight, scoreSum, ones] = [0, 0, 0];
  for (let i = 0; i < order.length; i++) {
    const row = order[i]!;
    const ofRow = weights?.[row] ?? 1;
    weight += ofRow;
    scoreSum += ofRow * scores[row]!;
    ones += ofRow * labels[row]!;
    const isLast = i + 1 === order.length;
    if (weight === 0 || !(isLast || (weight >= least && scores[order[i + 1]!] !== scores[row]))) continue;
    const group = { weight, score: scoreSum / weight, label: ones / weight };
    out.push(weight < least && out.length > 0 ? merged(out.pop()!, group) : group);
    [weight, scoreSum, ones] = [0, 0, 0];
  }
  return out;
}

function totalWeight(rows: number, weights?: ArrayLike<number>): number {
  if (!weights) return rows;
  let sum = 0;
  for (let row = 0; row < rows; row++) sum += weights[row]!;
  return sum;
}

/** Merges adjacent blocks until labels rise, and scores rise even as 32-bit floats. */
function pooled(blocks: readonly Block[]): Block[] {
  const out: Block[] = [];
  for (const block of blocks) {
    let current = block;
    for (let last = out.at(-1); last && violates(last, current); last = out.at(-1)) {
      current = merged(last, current);
      out.pop();
    }
    out.push(current);
  }
  return out.map((block) => ({ ...block, score: Math.fround(block.score) }));
}

function violates(last: Block, next: Block): boolean {
  return last.label >= next.label || Math.fround(last.score) >= Math.fround(next.score);
}

function merged(a: Block, b: Block): Block {
  const weight = a.weight + b.weight;
  const mean = (x: number, y: number) => (a.weight * x + b.weight * y) / weight;
  return { weight, score: mean(a.score, b.score), label: mean(a.label, b.label) };
}

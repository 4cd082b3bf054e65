import type { RowRange } from '../panel/ranges.ts';
import type { FeatureMatrix } from './feature-matrix.ts';

/**
 * Boosted trees in the form used for scoring: typed arrays over the nodes of all trees, one tree after the other.
 *
 * A row goes left where its feature is at most the cut, both 32-bit floats, as in ONNX's `BRANCH_LEQ`. Its raw score is the
 * sum of the values of the leaves that it reaches, tree by tree in 32-bit floats, with the base score added last. ONNX Runtime
 * adds them in the same order in one thread. With more, it divides the trees among them (1.30: from 51 rows on, and for
 * one row with more than 80 trees), and the last bits of some scores differ.
 */
export interface TreeEnsemble {
  featureNames: readonly string[];
  /** Scores of a row: 1 (log-odds of label 1) for binary, one per class otherwise. Tree t adds to score t mod `scores`. */
  scores: number;
  /** One for each score. */
  baseScores: Float32Array;
  /** Index of each tree's first node, its root; one extra entry for the end. */
  treeStarts: Uint32Array;
  /** -1 for a leaf. */
  feature: Int32Array;
  /** 0 for a leaf. */
  cut: Float32Array;
  /** Left child, counted from the tree's root; the right child follows it. -1 for a leaf. */
  left: Int32Array;
  /** Value that a leaf adds to the score; 0 for a branch. */
  value: Float32Array;
  /** Decrease of the training objective by a branch; 0 for a leaf. */
  gain: Float32Array;
  /** Sum of the hessians of a node's training rows, like XGBoost's cover. Only ratios between the nodes of a tree matter. */
  cover: Float32Array;
}

export function treeCount(ensemble: TreeEnsemble): number {
  return ensemble.treeStarts.length - 1;
}

/**
 * Raw scores of rows, one row after the other. This is the reference: the trainer's own scores equal it bit for bit, and an
 * ONNX runtime's scores equal it up to the order of summation. For speed, use a runtime.
 *
 * @throws UnusableFeature when a value of these rows is not finite
 */
export function rawScores(
  ensemble: TreeEnsemble,
  matrix: FeatureMatrix,
  rows: RowRange = matrix.allRows,
): Float32Array {
  if (matrix.names.join() !== ensemble.featureNames.join())
    throw new RangeError('the matrix has other features than the model');
  matrix.requireFinite(rows);
  const { scores, baseScores, treeStarts, value } = ensemble;
  const out = new Float32Array((rows.to - rows.from) * scores);
  for (let row = rows.from; row < rows.to; row++) {
    const at = (row - rows.from) * scores;
    for (let tree = 0; tree < treeCount(ensemble); tree++) {
      const root = treeStarts[tree]!;
      out[at + (tree % scores)]! += value[root + leafOf(ensemble, root, matrix, row)]!;
    }
    for (let score = 0; score < scores; score++) out[at + score]! += baseScores[score]!;
  }
  return out;
}

function leafOf(
  { feature, cut, left }: TreeEnsemble,
  root: number,
  matrix: FeatureMatrix,
  row: number,
): number {
  const { values, rowCount } = matrix;
  let node = 0;
  for (let f = feature[root]!; f !== -1; f = feature[root + node]!) {
    const goesLeft = values[f * rowCount + row]! <= cut[root + node]!;
    node = left[root + node]! + (goesLeft ? 0 : 1);
  }
  return node;
}

/** Share of the total gain that comes from splits on a feature. */
interface FeatureImportance {
  feature: string;
  /** 0 to 1. The shares of a model add up to 1, unless it has no split. */
  share: number;
}

/** By total gain (Hastie, Tibshirani & Friedman, The Elements of Statistical Learning, 10.13.1), largest first. */
export function featureImportance({ featureNames, feature, gain }: TreeEnsemble): FeatureImportance[] {
  const gains = new Float64Array(featureNames.length);
  let total = 0;
  for (const [node, f] of feature.entries()) {
    if (f === -1) continue;
    gains[f]! += gain[node]!;
    total += gain[node]!;
  }
  return featureNames
    .map((name, f) => ({ feature: name, share: total === 0 ? 0 : gains[f]! / total }))
    .sort((a, b) => b.share - a.share);
}

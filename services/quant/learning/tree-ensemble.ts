import type { RowRange } from '../panel/ranges.ts';
import type { FeatureMatrix } from './feature-matrix.ts';

/**
 * Boosted trees as they are scored: typed arrays over the nodes of all trees, one tree after the other.
 *
 * A row goes left where its feature is at most the cut, both 32-bit floats, as `BRANCH_LEQ` of ONNX has it. Its raw
 * score is the sum of the values of the leaves it falls in, tree by tree in 32-bit floats, and the base score last:
 * the order in which an ONNX runtime adds them for many rows.
 */
export interface TreeEnsemble {
  featureNames: readonly string[];
  /** Scores of a row: 1 (log-odds of label 1) for binary, one a class otherwise. Tree t adds to score t mod this. */
  scores: number;
  /** One a score. */
  baseScores: Float32Array;
  /** Where each tree's nodes begin, the first its root; one more for the end. */
  treeStarts: Uint32Array;
  /** -1 for a leaf. */
  feature: Int32Array;
  /** 0 for a leaf. */
  cut: Float32Array;
  /** Left child, counted from the tree's root; the right one follows it. -1 for a leaf. */
  left: Int32Array;
  /** What a leaf adds; 0 for a branch. */
  value: Float32Array;
  /** What a branch took off the training objective; 0 for a leaf. */
  gain: Float32Array;
  /**
   * How much of the training a node has seen: the sum of the hessians of its rows, as XGBoost's cover. Only ratios
   * between the nodes of a tree mean anything.
   */
  cover: Float32Array;
}

export function treeCount(ensemble: TreeEnsemble): number {
  return ensemble.treeStarts.length - 1;
}

/**
 * Raw scores of rows, one row after the other. The reference that the trainer's own scores equal bit for bit and an
 * ONNX runtime's up to the order of its sums; for speed, use the latter.
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

/** What part of all gain the splits on a feature have brought. */
interface FeatureImportance {
  feature: string;
  /** 0 to 1; all of a model add up to 1, unless it has no split. */
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

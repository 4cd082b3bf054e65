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
}

export function treeCount(ensemble: TreeEnsemble): number {
  return ensemble.treeStarts.length - 1;
}

import type { TreeEnsemble } from '../ensemble/tree-ensemble.ts';
import type { GrownTree } from './grown-tree.ts';

/** Trees over bins as trees over values: the bin up to which rows go left becomes the cut that ends it. */
export function ensembleOf(
  trees: readonly GrownTree[],
  baseScores: readonly number[],
  featureNames: readonly string[],
  cuts: readonly Float32Array[],
): TreeEnsemble {
  const joined = (of: (tree: GrownTree) => readonly number[]) => trees.flatMap(of);
  const feature = Int32Array.from(joined((tree) => tree.feature));
  const bin = joined((tree) => tree.bin);
  let start = 0;
  return {
    featureNames,
    scores: baseScores.length,
    baseScores: Float32Array.from(baseScores),
    treeStarts: Uint32Array.from([0, ...trees.map((tree) => (start += tree.nodeCount))]),
    feature,
    cut: Float32Array.from(feature, (f, node) => (f === -1 ? 0 : cuts[f]![bin[node]!]!)),
    left: Int32Array.from(joined((tree) => tree.left)),
    value: Float32Array.from(joined((tree) => tree.value)),
    gain: Float32Array.from(joined((tree) => tree.gain)),
  };
}

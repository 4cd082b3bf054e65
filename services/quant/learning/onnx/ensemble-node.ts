import { type TreeEnsemble, treeCount } from '../ensemble/tree-ensemble.ts';
import type { OnnxAttribute, OnnxNode } from './onnx-model.ts';

/**
 * The trees as one TreeEnsembleClassifier (ai.onnx.ml 3): from `input` to raw scores without the base, post_transform
 * NONE. A row takes the true branch where its feature is at most the cut.
 *
 * Links and base scores follow in nodes of their own. Of a binary classifier with one score, runtimes apply LOGISTIC
 * only if some leaf is negative, taking the sum for a probability otherwise, and do not agree on what a single base
 * value is added to; a model must not depend on either. All leaves of a binary ensemble vote for class 0, which puts
 * the raw score in the second column of the output, and some function of it in the first.
 */
export function ensembleNode(ensemble: TreeEnsemble, input: string, output: string): OnnxNode {
  const { scores, feature, cut, value } = ensemble;
  const { trees, nodes, left, right } = numbering(ensemble);
  const leaves = Array.from(feature.keys()).filter((node) => feature[node] === -1);
  const atLeaves = (values: ArrayLike<number>) => leaves.map((node) => values[node]!);
  const labels = Array.from({ length: Math.max(2, scores) }, (_, k) => k);
  return {
    opType: 'TreeEnsembleClassifier',
    domain: 'ai.onnx.ml',
    inputs: [input],
    outputs: ['most_likely_class', output],
    attributes: {
      class_ids: ints(atLeaves(trees).map((tree) => tree % scores)),
      class_nodeids: ints(atLeaves(nodes)),
      class_treeids: ints(atLeaves(trees)),
      class_weights: floats(atLeaves(value)),
      classlabels_int64s: ints(labels),
      nodes_falsenodeids: ints(right),
      nodes_featureids: ints(feature.map((f) => Math.max(0, f))),
      nodes_modes: {
        kind: 'strings',
        values: Array.from(feature, (f) => (f === -1 ? 'LEAF' : 'BRANCH_LEQ')),
      },
      nodes_nodeids: ints(nodes),
      nodes_treeids: ints(trees),
      nodes_truenodeids: ints(left),
      nodes_values: floats(cut),
      post_transform: { kind: 'string', value: 'NONE' },
    },
  };
}

/** Of every node: its tree, its number in that tree, and those of its children, 0 for a leaf. */
function numbering(ensemble: TreeEnsemble): Record<'trees' | 'nodes' | 'left' | 'right', Int32Array> {
  const { treeStarts, feature, left } = ensemble;
  const trees = new Int32Array(feature.length);
  const nodes = new Int32Array(feature.length);
  for (let tree = 0; tree < treeCount(ensemble); tree++) {
    for (let node = treeStarts[tree]!; node < treeStarts[tree + 1]!; node++) {
      trees[node] = tree;
      nodes[node] = node - treeStarts[tree]!;
    }
  }
  return {
    trees,
    nodes,
    left: left.map((child) => Math.max(0, child)),
    right: left.map((child) => child + 1),
  };
}

function ints(values: ArrayLike<number>): OnnxAttribute {
  return { kind: 'ints', values };
}

function floats(values: ArrayLike<number>): OnnxAttribute {
  return { kind: 'floats', values };
}

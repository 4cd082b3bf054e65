import { treeCount, type TreeEnsemble } from '../tree-ensemble.ts';

/** The same trees, without the base scores, as a model that XGBoost can load (its JSON format of version 1.7). */
export function xgboostModel(ensemble: TreeEnsemble): object {
  const { scores, featureNames } = ensemble;
  const trees = Array.from({ length: treeCount(ensemble) }, (_, tree) => treeOf(ensemble, tree));
  const count = String(featureNames.length);
  return {
    version: [1, 7, 4],
    learner: {
      attributes: {},
      feature_names: [],
      feature_types: [],
      gradient_booster: {
        name: 'gbtree',
        model: {
          gbtree_model_param: {
            num_trees: String(trees.length),
            num_parallel_tree: '1',
            size_leaf_vector: '0',
          },
          trees,
          tree_info: trees.map((_, tree) => tree % scores),
        },
      },
      learner_model_param: {
        base_score: '0',
        num_class: String(scores === 1 ? 0 : scores),
        num_feature: count,
        num_target: '1',
      },
      objective:
        scores === 1
          ? { name: 'reg:squarederror', reg_loss_param: { scale_pos_weight: '1' } }
          : { name: 'multi:softprob', softmax_multiclass_param: { num_class: String(scores) } },
    },
  };
}

function treeOf(
  { featureNames, treeStarts, feature, cut, left, value, cover, gain }: TreeEnsemble,
  tree: number,
) {
  const [from, to] = [treeStarts[tree]!, treeStarts[tree + 1]!];
  const nodes = Array.from({ length: to - from }, (_, node) => from + node);
  const isLeaf = (at: number) => feature[at] === -1;
  const parents = nodes.map(() => 2_147_483_647);
  for (const [node, at] of nodes.entries())
    if (!isLeaf(at)) parents[left[at]!] = parents[left[at]! + 1] = node;
  return {
    id: tree,
    base_weights: nodes.map(() => 0),
    categories: [],
    categories_nodes: [],
    categories_segments: [],
    categories_sizes: [],
    default_left: nodes.map(() => 0),
    left_children: nodes.map((at) => (isLeaf(at) ? -1 : left[at]!)),
    right_children: nodes.map((at) => (isLeaf(at) ? -1 : left[at]! + 1)),
    loss_changes: nodes.map((at) => gain[at]!),
    parents,
    // XGBoost sends values below the condition left; here a value equal to the cut also goes left.
    split_conditions: nodes.map((at) => (isLeaf(at) ? value[at]! : nextAbove(cut[at]!))),
    split_indices: nodes.map((at) => Math.max(0, feature[at]!)),
    split_type: nodes.map(() => 0),
    sum_hessian: nodes.map((at) => cover[at]!),
    tree_param: {
      num_deleted: '0',
      num_feature: String(featureNames.length),
      num_nodes: String(nodes.length),
      size_leaf_vector: '0',
    },
  };
}

/** The next 32-bit float above a value that is not negative. */
function nextAbove(value: number): number {
  const bits = new Uint32Array(Float32Array.of(value).buffer);
  bits[0]!++;
  return new Float32Array(bits.buffer)[0]!;
}

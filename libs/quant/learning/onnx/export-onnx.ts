import type { Calibration } from '../calibration/calibration.ts';
import { treeCount, type TreeEnsemble } from '../tree-ensemble.ts';
import { encodeModel, type OnnxAttribute, type OnnxNode, type OnnxTensor } from './onnx-model.ts';

export const INPUT_NAME = 'features';
export const OUTPUT_NAME = 'probability';

/** Versions that onnx 1.11 and later accept. All runtimes of recent years support them. */
const IR_VERSION = 8;
const OPSETS = { '': 15, 'ai.onnx.ml': 3 };

/**
 * Exports a model as an ONNX graph, from `features` [N, F] to `probability`: [N] of label 1, or [N, C] of each class; 32-bit
 * floats. The calibration is part of the graph.
 *
 * @param metadata stored in the file next to `feature_names`, a JSON list of the names in the order of the columns
 */
export function exportOnnx(
  ensemble: TreeEnsemble,
  calibration: Calibration,
  metadata: Readonly<Record<string, string>> = {},
): Uint8Array {
  const { scores, featureNames } = ensemble;
  if (scores > 1 !== (calibration.kind === 'softmax'))
    throw new RangeError(`${calibration.kind} does not calibrate models of ${scores} scores a row`);
  const raw = rawScoreNodes(ensemble);
  const probability = probabilityNodes(calibration, 'raw_score', OUTPUT_NAME);
  return encodeModel({
    irVersion: IR_VERSION,
    opsets: OPSETS,
    producer: 'saring',
    metadata: { feature_names: JSON.stringify(featureNames), ...metadata },
    graph: {
      name: 'boosted_trees',
      nodes: [...raw.nodes, ...probability.nodes],
      initializers: [...raw.initializers, ...probability.initializers],
      inputs: [{ name: INPUT_NAME, dims: ['N', featureNames.length] }],
      outputs: [{ name: OUTPUT_NAME, dims: scores === 1 ? ['N'] : ['N', scores] }],
    },
  });
}

/** Trees, then the base score: [N] for one score per row, [N, C] for more. */
function rawScoreNodes(ensemble: TreeEnsemble): GraphPart {
  const { scores, baseScores } = ensemble;
  const trees = ensembleNode(ensemble, INPUT_NAME, 'tree_columns');
  const base = {
    name: 'base_score',
    type: 'float',
    dims: scores === 1 ? [] : [scores],
    values: baseScores,
  } as const;
  if (scores > 1)
    return { nodes: [trees, node('Add', ['tree_columns', 'base_score'], 'raw_score')], initializers: [base] };
  const second = {
    ...node('Gather', ['tree_columns', 'second_column'], 'tree_sum'),
    attributes: { axis: { kind: 'int', value: 1 } },
  } as const;
  return {
    nodes: [trees, second, node('Add', ['tree_sum', 'base_score'], 'raw_score')],
    initializers: [base, { name: 'second_column', type: 'int64', dims: [], values: [1] }],
  };
}

/**
 * The trees as one TreeEnsembleClassifier (ai.onnx.ml 3): from `input` to raw scores without the base score, post_transform
 * NONE. A row takes the true branch where its feature is at most the cut.
 *
 * Links and base scores are separate nodes after it, because with one score per row a runtime treats them in ways of its own. ONNX
 * Runtime 1.30 gives a row two values. Of leaves that vote for class 1, the first is that of no votes, so that with LOGISTIC the two
 * do not add up to 1, and a single base value is lost. Of leaves that vote for class 0, the second is the raw score, and the first
 * a function of it that depends on the signs of the leaves. So all leaves of a binary ensemble vote for class 0, with NONE, and only
 * the second value is read.
 */
function ensembleNode(ensemble: TreeEnsemble, input: string, output: string): OnnxNode {
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

/** For every node: its tree, its index in that tree, and the indices of its children (0 for a leaf). */
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

/** A part of a graph. */
interface GraphPart {
  nodes: OnnxNode[];
  initializers: OnnxTensor[];
}

/** Nodes that compute probabilities, named `output`, from raw scores: [N] for one score per row, [N, C] for more. */
function probabilityNodes(calibration: Calibration, raw: string, output: string): GraphPart {
  switch (calibration.kind) {
    case 'logistic':
      return { nodes: [node('Sigmoid', [raw], output)], initializers: [] };
    case 'platt': {
      const { slope, intercept, bounds } = calibration;
      return {
        nodes: [
          node('Mul', [raw, 'slope'], 'sloped'),
          node('Add', ['sloped', 'intercept'], 'log_odds'),
          ...(bounds ? [node('Clip', ['log_odds', 'lowest', 'highest'], 'supported')] : []),
          node('Sigmoid', [bounds ? 'supported' : 'log_odds'], output),
        ],
        initializers: [
          scalar('slope', slope),
          scalar('intercept', intercept),
          ...(bounds ? [scalar('lowest', bounds.lowest), scalar('highest', bounds.highest)] : []),
        ],
      };
    }
    case 'isotonic':
      return isotonicNodes(calibration.scores, calibration.probabilities, raw, output);
    case 'softmax':
      return {
        nodes: [
          node('Div', [raw, 'temperature'], 'tempered'),
          { ...node('Softmax', ['tempered'], output), attributes: { axis: { kind: 'int', value: 1 } } },
        ],
        initializers: [scalar('temperature', calibration.temperature)],
      };
  }
}

/**
 * The rising curve as a sum over its segments: the length of each segment that is below the score, times its slope. [N] is
 * expanded to [N, 1] for this, and the sum over the segments is a matrix product with the column of slopes. In 32-bit floats the
 * sum of all segments can exceed the end of the curve, which would be a chance above 1 for a curve that ends at 1.
 */
function isotonicNodes(
  scores: readonly number[],
  probabilities: readonly number[],
  raw: string,
  output: string,
): GraphPart {
  if (scores.length === 1)
    return isotonicNodes([scores[0]!, scores[0]! + 1], [probabilities[0]!, probabilities[0]!], raw, output);
  const lengths = scores.slice(1).map((score, i) => score - scores[i]!);
  const slopes = lengths.map((length, i) => (probabilities[i + 1]! - probabilities[i]!) / length);
  const segments = lengths.length;
  return {
    nodes: [
      node('Unsqueeze', [raw, 'last_axis'], 'raw_column'),
      node('Sub', ['raw_column', 'segment_starts'], 'past_start'),
      node('Max', ['past_start', 'zero'], 'begun'),
      node('Min', ['begun', 'segment_lengths'], 'covered'),
      node('MatMul', ['covered', 'segment_slopes'], 'risen'),
      node('Add', ['risen', 'lowest'], 'sum'),
      node('Min', ['sum', 'highest'], output),
    ],
    initializers: [
      { name: 'last_axis', type: 'int64', dims: [1], values: [1] },
      { name: 'segment_starts', type: 'float', dims: [segments], values: scores.slice(0, -1) },
      scalar('zero', 0),
      { name: 'segment_lengths', type: 'float', dims: [segments], values: lengths },
      { name: 'segment_slopes', type: 'float', dims: [segments], values: slopes },
      scalar('lowest', probabilities[0]!),
      scalar('highest', probabilities.at(-1)!),
    ],
  };
}

function node(opType: string, inputs: readonly string[], output: string): OnnxNode {
  return { opType, inputs, outputs: [output] };
}

function scalar(name: string, value: number): OnnxTensor {
  return { name, type: 'float', dims: [], values: [value] };
}

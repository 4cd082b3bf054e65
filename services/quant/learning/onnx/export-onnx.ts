import type { Calibration } from '../calibration/calibration.ts';
import type { TreeEnsemble } from '../ensemble/tree-ensemble.ts';
import { encodeModel } from './encode-model.ts';
import { ensembleNode } from './ensemble-node.ts';
import { node, probabilityNodes, type GraphPart } from './probability-nodes.ts';

export const INPUT_NAME = 'features';
export const OUTPUT_NAME = 'probability';

/** Versions that onnx 1.11 and later accept; every runtime of the last years runs them. */
const IR_VERSION = 8;
const OPSETS = { '': 15, 'ai.onnx.ml': 3 };

/**
 * A model as an ONNX graph, from `features` [N, F] to `probability` [N] of label 1, or [N, C] of each class; 32-bit
 * floats. The calibration is inside.
 *
 * @param metadata kept in the file beside `feature_names`, their names in the order of the columns as a JSON list
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

/** Trees, then the base score: [N] for one score a row, [N, C] for more. */
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

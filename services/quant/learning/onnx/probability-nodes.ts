import type { Calibration } from '../calibration/calibration.ts';
import type { OnnxNode, OnnxTensor } from './onnx-model.ts';

/** A piece of a graph. */
export interface GraphPart {
  nodes: OnnxNode[];
  initializers: OnnxTensor[];
}

/** The nodes that make probabilities, named `output`, of raw scores: [N] for one score a row, [N, C] for more. */
export function probabilityNodes(calibration: Calibration, raw: string, output: string): GraphPart {
  switch (calibration.kind) {
    case 'logistic':
      return { nodes: [node('Sigmoid', [raw], output)], initializers: [] };
    case 'platt':
      return {
        nodes: [
          node('Mul', [raw, 'slope'], 'sloped'),
          node('Add', ['sloped', 'intercept'], 'log_odds'),
          node('Sigmoid', ['log_odds'], output),
        ],
        initializers: [scalar('slope', calibration.slope), scalar('intercept', calibration.intercept)],
      };
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
 * The rising curve as a sum over its segments: of each, how much of its length lies below the score, times its slope.
 * [N] becomes [N, 1] for that, and the sum over the segments is a product with the column of slopes.
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
      node('Add', ['risen', 'lowest'], output),
    ],
    initializers: [
      { name: 'last_axis', type: 'int64', dims: [1], values: [1] },
      { name: 'segment_starts', type: 'float', dims: [segments], values: scores.slice(0, -1) },
      scalar('zero', 0),
      { name: 'segment_lengths', type: 'float', dims: [segments], values: lengths },
      { name: 'segment_slopes', type: 'float', dims: [segments], values: slopes },
      scalar('lowest', probabilities[0]!),
    ],
  };
}

export function node(opType: string, inputs: readonly string[], output: string): OnnxNode {
  return { opType, inputs, outputs: [output] };
}

function scalar(name: string, value: number): OnnxTensor {
  return { name, type: 'float', dims: [], values: [value] };
}

import { equalFrequencyCuts } from '../binning/bin-rows.ts';
import { plainArithmetic, sigmoid, softmax } from '../kernels/float-functions.ts';
import { rowHash, seedFor, ALL_ROWS } from '../kernels/row-lists.ts';
import type { FeatureMatrix } from '../feature-matrix.ts';
import { distinctRuns } from '../binning/distinct-runs.ts';
import { baseScoresOf, fixedPointScale } from './job.ts';
import { featuresOfTree } from './boost.ts';
import { DEFAULT_PARAMETERS, type BoostingParameters, type TrainingTask } from './trainer.ts';

/** A node as an object. A leaf has only a value. */
export type NaiveNode =
  | { value: number }
  | { feature: number; cut: number; left: NaiveNode; right: NaiveNode };

interface Row {
  row: number;
  gradient: number;
  hessian: number;
}

/**
 * The trainer's algorithm in its simplest form, for comparison: no bins, histograms or subtraction, one thread, and every
 * split tried by adding up its two sides. It must grow exactly the same trees, to the bit.
 */
export function naiveTrees(matrix: FeatureMatrix, task: TrainingTask, bins: number): NaiveNode[] {
  const parameters = { ...DEFAULT_PARAMETERS, ...task.parameters };
  const rows = Array.from({ length: task.rows.to - task.rows.from }, (_, i) => task.rows.from + i);
  const weights = rows.map((row) => task.weights?.[row] ?? 1);
  const classWeights = Array.from({ length: task.classes }, (_, label) =>
    rows.reduce((sum, row, i) => sum + (task.labels[row] === label ? weights[i]! : 0), 0),
  );
  const base = baseScoresOf(classWeights);
  const scale = fixedPointScale(
    weights.reduce((a, b) => a + b),
    Math.max(...weights),
  );
  const cuts = matrix.names.map((_, f) => equalFrequencyCuts(distinctRuns(matrix.column(f)), bins));
  const leafSums = rows.map(() => base.map(() => 0));
  const trees: NaiveNode[] = [];
  for (let round = 0; round < parameters.rounds; round++) {
    const scores = leafSums.map((ofRow) => ofRow.map((sum, k) => Math.fround(sum + base[k]!)));
    const p = scores.map((s) =>
      s.length === 1 ? [sigmoid(plainArithmetic, s[0]!)] : softmax(plainArithmetic, s),
    );
    const sampled = rows.map(
      (_, i) => rowHash(i, seedFor(parameters.seed, round)) < parameters.subsample * ALL_ROWS,
    );
    const grown = base.map((_, k) => {
      const label = base.length === 1 ? 1 : k;
      const all = rows.map((row, i) => ({
        row,
        ...derivatives(p[i]![k]!, task.labels[row] === label, weights[i]! * scale),
      }));
      const used = featuresOf(matrix, parameters, round * base.length + k);
      const inSample = all.filter((_, i) => sampled[i]);
      return grow({ matrix, cuts, used, parameters, scale }, inSample, parameters.depth);
    });
    trees.push(...grown);
    for (const [i, row] of rows.entries()) {
      for (const [k, tree] of grown.entries())
        leafSums[i]![k] = Math.fround(leafSums[i]![k]! + valueOf(tree, matrix, row));
    }
  }
  return trees;
}

function featuresOf(matrix: FeatureMatrix, parameters: BoostingParameters, tree: number): Uint32Array {
  const binned = { rowCount: 0, features: matrix.names.length, bins: 2 };
  return featuresOfTree({ binned, parameters }, tree);
}

function derivatives(p: number, isLabel: boolean, weight: number): { gradient: number; hessian: number } {
  const on = plainArithmetic;
  const w = Math.fround(weight);
  return {
    gradient: on.nearest(on.mul(on.sub(p, isLabel ? 1 : 0), w)),
    hessian: on.nearest(on.mul(on.mul(p, on.sub(1, p)), w)),
  };
}

interface Growth {
  matrix: FeatureMatrix;
  cuts: Float32Array[];
  used: Uint32Array;
  parameters: BoostingParameters;
  scale: number;
}

function grow(growth: Growth, rows: Row[], levels: number): NaiveNode {
  const { matrix, parameters, scale } = growth;
  const lambda = parameters.lambda * scale;
  const node = sums(rows);
  const best = levels === 0 ? null : bestSplit(growth, rows);
  if (best === null) {
    const curvature = node.h + lambda;
    return { value: curvature === 0 ? 0 : Math.fround((-parameters.learningRate * node.g) / curvature) };
  }
  const isLeft = ({ row }: Row) => matrix.column(best.feature)[row]! <= best.cut;
  return {
    ...best,
    left: grow(growth, rows.filter(isLeft), levels - 1),
    right: grow(
      growth,
      rows.filter((row) => !isLeft(row)),
      levels - 1,
    ),
  };
}

function bestSplit(growth: Growth, rows: Row[]): { feature: number; cut: number } | null {
  const { matrix, cuts, used, parameters, scale } = growth;
  const lambda = parameters.lambda * scale;
  const least = Math.max(1, parameters.minChildWeight * scale);
  const objective = ({ g, h }: { g: number; h: number }) => (g * g) / (h + lambda);
  const node = sums(rows);
  let best = { gain: 0, feature: -1, cut: 0 };
  for (const [feature, ofFeature] of cuts.entries()) {
    if (!used.includes(feature)) continue;
    for (const cut of ofFeature) {
      const left = sums(rows.filter(({ row }) => matrix.column(feature)[row]! <= cut));
      const right = { g: node.g - left.g, h: node.h - left.h };
      if (left.h < least || right.h < least) continue;
      const gain = objective(left) + objective(right) - objective(node);
      if (gain > best.gain) best = { gain, feature, cut };
    }
  }
  const { gain, ...split } = best;
  return gain > Math.max(1e-6, parameters.gamma) * scale ? split : null;
}

function sums(rows: readonly Row[]): { g: number; h: number } {
  return rows.reduce((sum, { gradient, hessian }) => ({ g: sum.g + gradient, h: sum.h + hessian }), {
    g: 0,
    h: 0,
  });
}

function valueOf(node: NaiveNode, matrix: FeatureMatrix, row: number): number {
  if ('value' in node) return node.value;
  const next = matrix.column(node.feature)[row]! <= node.cut ? node.left : node.right;
  return valueOf(next, matrix, row);
}

import type { RowRange } from '#quant/panel/row-range.ts';
import type { FeatureMatrix } from '../matrix/feature-matrix.ts';
import { type TreeEnsemble, treeCount } from './tree-ensemble.ts';

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

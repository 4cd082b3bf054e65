import { describe, expect, test } from 'vitest';
import { FeatureMatrix, UnusableFeature } from './feature-matrix.ts';
import { stumps } from './tree-ensemble-fixture.ts';
import { featureImportance, rawScores } from './tree-ensemble.ts';

function matrixOf(...columns: number[][]): FeatureMatrix {
  const matrix = new FeatureMatrix(
    columns.map((_, f) => `f${f}`),
    columns[0]!.length,
  );
  for (const [f, column] of columns.entries()) matrix.column(f).set(column);
  return matrix;
}

describe('raw scores', () => {
  test('send a value equal to the 32-bit cut to the left', () => {
    const just = Math.fround(0.1);
    const matrix = matrixOf([just, just + 2 ** -26, -1]);
    expect([...rawScores(stumps(1, 0.1, [1, 2]), matrix)]).toEqual([1.25, 2.25, 1.25]);
  });

  test('add each tree to its own class', () => {
    const scores = rawScores(stumps(3, 0, [1, 2], 3), matrixOf([-1], [1], [0]));
    expect([...scores]).toEqual([1.25, 2.25, 1.25]);
  });

  test('cover only the requested rows', () => {
    const matrix = matrixOf([-1, 1, -1]);
    expect([...rawScores(stumps(1, 0, [1, 2]), matrix, { from: 1, to: 2 })]).toEqual([2.25]);
  });

  test('refuse values that are not finite and a different set of features', () => {
    expect(() => rawScores(stumps(1, 0, [1, 2]), matrixOf([0, NaN]))).toThrow(UnusableFeature);
    expect(() => rawScores(stumps(1, 0, [1, 2]), matrixOf([0], [0]))).toThrow('other features');
  });
});

describe('feature importance', () => {
  test('is the share of gain, largest first', () => {
    expect(featureImportance(stumps(3, 0, [1, 2]))).toEqual([
      { feature: 'f2', share: 3 / 6 },
      { feature: 'f1', share: 2 / 6 },
      { feature: 'f0', share: 1 / 6 },
    ]);
  });

  test('is zero throughout for a model without a split', () => {
    const leaf = { ...stumps(2, 0, [1, 2]), feature: Int32Array.of(-1), gain: Float32Array.of(0) };
    expect(featureImportance(leaf).map(({ share }) => share)).toEqual([0, 0]);
  });
});

test('a row-major copy holds row after row', () => {
  const matrix = matrixOf([1, 2, 3], [4, 5, 6]);
  expect([...matrix.rowMajor()]).toEqual([1, 4, 2, 5, 3, 6]);
  expect([...matrix.rowMajor({ from: 1, to: 2 })]).toEqual([2, 5]);
});

import type { TreeEnsemble } from './tree-ensemble.ts';

/**
 * Handwritten stumps, one for each feature, all with the same cut and leaves. With several scores per row, the stumps add to
 * them in turn.
 */
export function stumps(
  features: number,
  cut: number,
  [left, right]: [number, number],
  scores = 1,
): TreeEnsemble {
  const each = <T>(values: (feature: number) => T[]) =>
    Array.from({ length: features }, (_, f) => values(f)).flat();
  return {
    featureNames: Array.from({ length: features }, (_, f) => `f${f}`),
    scores,
    baseScores: new Float32Array(scores).fill(0.25),
    treeStarts: Uint32Array.from({ length: features + 1 }, (_, tree) => 3 * tree),
    feature: Int32Array.from(each((f) => [f, -1, -1])),
    cut: Float32Array.from(each(() => [cut, 0, 0])),
    left: Int32Array.from(each(() => [1, -1, -1])),
    value: Float32Array.from(each(() => [0, left, right])),
    gain: Float32Array.from(each((f) => [f + 1, 0, 0])),
    cover: Float32Array.from(each(() => [4, 3, 1])),
  };
}

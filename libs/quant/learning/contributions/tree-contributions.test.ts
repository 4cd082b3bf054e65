import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ThreadedTrainer } from '#trainer-threads/threaded-trainer.ts';
import { noiseMatrix, plantedLabels } from '../boosting/planted-fixture.ts';
import { FeatureMatrix, UnusableFeature } from '../feature-matrix.ts';
import { rawScores, treeCount, type TreeEnsemble } from '../tree-ensemble.ts';
import { sumOf, TreeContributions } from './tree-contributions.ts';

let trainer: ThreadedTrainer;
beforeAll(async () => {
  trainer = await ThreadedTrainer.start(2);
});
afterAll(() => trainer.stop());

interface Shape {
  classes?: number;
  depth?: number;
  rounds?: number;
  features?: number;
  subsample?: number;
  seed?: number;
}

function trained({
  classes = 2,
  depth = 5,
  rounds = 20,
  features = 6,
  subsample = 0.5,
  seed = 1,
}: Shape = {}) {
  const matrix = noiseMatrix(2_000, features, seed);
  const planted = plantedLabels(matrix, 3, seed + 1);
  const labels = planted.map((label, row) => (label + (matrix.column(0)[row]! > 0.6 ? 1 : 0)) % classes);
  const { ensemble } = trainer.train(trainer.bin(matrix, { bins: 32 }), {
    classes,
    labels,
    rows: matrix.allRows,
    parameters: { rounds, depth, subsample, minChildWeight: 2, seed },
  });
  return { ensemble, matrix };
}

/** A score in doubles, summed tree by tree. */
function exactScore(ensemble: TreeEnsemble, matrix: FeatureMatrix, row: number, score: number): number {
  let sum = ensemble.baseScores[score]!;
  for (let tree = score; tree < treeCount(ensemble); tree += ensemble.scores) {
    sum += valueOf(ensemble, tree, (f) => matrix.column(f)[row]!);
  }
  return sum;
}

/** Value of a tree when only some features are known. A branch on an unknown feature gives the mean of both sides, by cover. */
function valueOf(
  { treeStarts, feature, cut, left, value, cover }: TreeEnsemble,
  tree: number,
  known: (feature: number) => number | undefined,
): number {
  const root = treeStarts[tree]!;
  const from = (node: number): number => {
    const at = root + node;
    if (feature[at] === -1) return value[at]!;
    const [l, r] = [left[at]!, left[at]! + 1];
    const seen = known(feature[at]!);
    if (seen !== undefined) return from(seen <= cut[at]! ? l : r);
    const [a, b] = [cover[root + l]!, cover[root + r]!];
    return (a * from(l) + b * from(r)) / (a + b);
  };
  return from(0);
}

/** Shapley values by their definition, over every subset of the other features. */
function byDefinition(ensemble: TreeEnsemble, matrix: FeatureMatrix, row: number, score: number): number[] {
  const count = ensemble.featureNames.length;
  const valueWith = (subset: number) => {
    let sum = 0;
    for (let tree = score; tree < treeCount(ensemble); tree += ensemble.scores)
      sum += valueOf(ensemble, tree, (f) => ((subset >> f) & 1 ? matrix.column(f)[row]! : undefined));
    return sum;
  };
  const values = Array.from({ length: 2 ** count }, (_, subset) => valueWith(subset));
  const factorial = (n: number): number => (n < 2 ? 1 : n * factorial(n - 1));
  return Array.from({ length: count }, (_, f) => {
    let sum = 0;
    for (const [subset, without] of values.entries()) {
      if ((subset >> f) & 1) continue;
      const size = subset.toString(2).replaceAll('0', '').length;
      const weight = (factorial(size) * factorial(count - size - 1)) / factorial(count);
      sum += weight * (values[subset | (1 << f)]! - without);
    }
    return sum;
  });
}

describe('contributions', () => {
  test('match the definition of Shapley values for binary and multiclass models', () => {
    for (const classes of [2, 3]) {
      const { ensemble, matrix } = trained({ classes, rounds: 6, depth: 6, features: 5 });
      for (const row of [0, 7, 1_999]) {
        const all = new TreeContributions(ensemble).of(matrix, row);
        expect(all).toHaveLength(ensemble.scores);
        for (const [score, { ofFeature }] of all.entries()) {
          const expected = byDefinition(ensemble, matrix, row, score);
          for (const [f, contribution] of ofFeature.entries())
            expect(Math.abs(contribution - expected[f]!)).toBeLessThan(1e-12);
        }
      }
    }
  });

  test('add up with the base to the exact score within 1e-9 and to the 32-bit score within 1e-4', () => {
    fc.assert(
      fc.property(
        fc.record({
          classes: fc.constantFrom(2, 3, 5),
          depth: fc.integer({ min: 1, max: 7 }),
          rounds: fc.integer({ min: 1, max: 30 }),
          features: fc.integer({ min: 4, max: 12 }),
          subsample: fc.constantFrom(0.5, 1),
          seed: fc.integer({ min: 1, max: 1_000 }),
        }),
        (shape) => {
          const { ensemble, matrix } = trained(shape);
          for (const row of [0, 1, 2]) {
            const raw = rawScores(ensemble, matrix, { from: row, to: row + 1 });
            for (const [score, contributions] of new TreeContributions(ensemble).of(matrix, row).entries()) {
              const sum = sumOf(contributions);
              expect(Math.abs(sum - exactScore(ensemble, matrix, row, score))).toBeLessThan(1e-9);
              expect(Math.abs(sum - raw[score]!)).toBeLessThan(1e-4);
            }
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  test('are 0 for a feature without a split, and leave only the base without any split', () => {
    const { ensemble, matrix } = trained({ features: 8 });
    const requested = new Set(ensemble.feature);
    for (const [f, contribution] of new TreeContributions(ensemble).of(matrix, 3)[0]!.ofFeature.entries())
      expect(contribution !== 0).toBe(requested.has(f));
    const leaf = { ...ensemble, treeStarts: Uint32Array.of(0, 1), feature: Int32Array.of(-1) };
    const [only] = new TreeContributions({ ...leaf, value: Float32Array.of(0.5) }).of(matrix, 3);
    expect(only!.base).toBe(ensemble.baseScores[0]! + 0.5);
    expect([...only!.ofFeature].every((contribution) => contribution === 0)).toBe(true);
  });

  test('refuse values that are not finite and a different set of features', () => {
    const { ensemble, matrix } = trained();
    const broken = new FeatureMatrix(matrix.names, 1);
    broken.column(0)[0] = NaN;
    expect(() => new TreeContributions(ensemble).of(broken, 0)).toThrow(UnusableFeature);
    expect(() => new TreeContributions(ensemble).of(new FeatureMatrix(['a'], 1), 0)).toThrow(
      'other features',
    );
  });
});

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rawScores, treeCount, type TreeEnsemble } from '../tree-ensemble.ts';
import { FeatureMatrix, UnusableFeature } from '../feature-matrix.ts';
import { logLoss } from '../validation/scoring.ts';
import { naiveTrees, type NaiveNode } from './naive-trainer-fixture.ts';
import { noiseMatrix, plantedLabels, uniforms } from './planted-fixture.ts';
import { ThreadedTrainer } from '#trainer-threads/threaded-trainer.ts';
import type { TrainingTask } from './trainer.ts';

let trainers: ThreadedTrainer[];
beforeAll(async () => {
  trainers = await Promise.all([1, 2, 3].map((threads) => ThreadedTrainer.start(threads)));
});
afterAll(() => Promise.all(trainers.map((trainer) => trainer.stop())));

/** Small matrices with many ties, and a task on them. */
const problems = fc
  .record({
    /** Many rows fill several chunks, and the rows that kernels read ahead. */
    rowCount: fc.oneof(
      { weight: 9, arbitrary: fc.integer({ min: 2, max: 60 }) },
      fc.integer({ min: 300, max: 1_200 }),
    ),
    /** The records of many take several vectors. */
    features: fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 1, max: 5 }) }, fc.constant(26)),
    classes: fc.constantFrom(2, 3, 4),
    bins: fc.constantFrom(2, 5, 64),
    parameters: fc.record({
      rounds: fc.integer({ min: 1, max: 4 }),
      depth: fc.integer({ min: 1, max: 6 }),
      learningRate: fc.constantFrom(0.1, 1),
      lambda: fc.constantFrom(0, 1),
      gamma: fc.constantFrom(0, 0.5),
      minChildWeight: fc.constantFrom(0, 0.5),
      subsample: fc.constantFrom(1, 0.6),
      featureShare: fc.constantFrom(1, 0.5),
      seed: fc.integer(),
    }),
  })
  .chain((size) =>
    fc.record({
      size: fc.constant(size),
      values: fc.array(
        fc.integer({ min: -8, max: 8 }).map((n) => n / 3),
        { minLength: size.rowCount * size.features, maxLength: size.rowCount * size.features },
      ),
      labels: fc.array(fc.nat(size.classes - 1), { minLength: size.rowCount, maxLength: size.rowCount }),
      weights: fc.array(fc.constantFrom(0.5, 1, 3), { minLength: size.rowCount, maxLength: size.rowCount }),
      from: fc.nat(Math.floor(size.rowCount / 3)),
    }),
  )
  .map(({ size, values, labels, weights, from }) => {
    const names = Array.from({ length: size.features }, (_, f) => `f${f}`);
    const matrix = new FeatureMatrix(names, size.rowCount);
    matrix.values.set(values);
    const rows = { from, to: size.rowCount };
    const task: TrainingTask = { classes: size.classes, labels, weights, rows, parameters: size.parameters };
    return { matrix, bins: size.bins, task };
  });

/** Converts a tree to the form of the naive trainer. */
function readable(ensemble: TreeEnsemble, tree: number, node = 0): NaiveNode {
  const { treeStarts, feature, cut, left, value } = ensemble;
  const at = treeStarts[tree]! + node;
  if (feature[at] === -1) return { value: value[at]! };
  return {
    feature: feature[at]!,
    cut: cut[at]!,
    left: readable(ensemble, tree, left[at]),
    right: readable(ensemble, tree, left[at]! + 1),
  };
}

function readableTrees(ensemble: TreeEnsemble): NaiveNode[] {
  return Array.from({ length: treeCount(ensemble) }, (_, tree) => readable(ensemble, tree));
}

describe('the trainer', () => {
  test('grows the same trees as a naive implementation, bit for bit, on one to three threads', () => {
    fc.assert(
      fc.property(problems, ({ matrix, bins, task }) => {
        const expected = naiveTrees(matrix, task, bins);
        for (const trainer of trainers) {
          const { ensemble } = trainer.train(trainer.bin(matrix, { bins }), task);
          expect(readableTrees(ensemble)).toEqual(expected);
        }
      }),
      { numRuns: 200 },
    );
  });

  test('grows the same trees when threads divide the rows into several blocks', () => {
    const matrix = noiseMatrix(5_000, 4, 1);
    const rows = { from: 300, to: 4_900 };
    const task = {
      classes: 2,
      labels: plantedLabels(matrix, 3, 2),
      rows,
      parameters: { rounds: 2, depth: 3 },
    };
    const expected = naiveTrees(matrix, task, 8);
    for (const trainer of trainers) {
      const { ensemble } = trainer.train(trainer.bin(matrix, { bins: 8 }), task);
      expect(readableTrees(ensemble)).toEqual(expected);
    }
  });

  test.each([2, 3])(
    'gives the same bits for one seed on any number of threads, and others for another seed; %i classes',
    (classes) => {
      const matrix = noiseMatrix(12_000, 70, 3);
      const draw = uniforms(4);
      const task: TrainingTask = {
        classes,
        labels: matrix.column(0).map((value) => Math.floor((value + 2 * draw()) * (classes / 3))),
        weights: Float32Array.from({ length: matrix.rowCount }, () => draw() + 0.1),
        rows: { from: 0, to: 9_000 },
        validation: { from: 9_001, to: 12_000 },
        parameters: { rounds: 8, depth: 7, subsample: 0.6, featureShare: 0.5, patience: 3, seed: 5 },
      };
      const [one, two, three] = trainers.map((trainer) =>
        trainer.train(trainer.bin(matrix, { bins: 256 }), task),
      );
      expect(two).toEqual(one);
      expect(three).toEqual(one);
      const parameters = { ...task.parameters, seed: 6 };
      const other = trainers[1]!.train(trainers[1]!.bin(matrix, { bins: 256 }), { ...task, parameters });
      expect(other.ensemble).not.toEqual(one!.ensemble);
    },
  );

  test.each([
    [0, null],
    [1, null],
    [1, 2],
    [4, 2],
  ])('%i trainings beside another keep its rounds, as in sequence; patience %s', (count, patience) => {
    const matrix = noiseMatrix(4_000, 10, 3);
    const labels = plantedLabels(matrix, 3, 4);
    const [first, ...others] = Array.from({ length: 1 + count }, (_, i): TrainingTask => ({
      classes: 2,
      labels,
      rows: { from: 0, to: 1_000 * (1 + (i % 3)) },
      validation: { from: 3_000, to: 4_000 - 100 * i },
      parameters: { rounds: 12, learningRate: 0.9, depth: 4, featureShare: 0.5, seed: i },
    }));
    const leading = { ...first!, parameters: { ...first!.parameters, patience } };
    for (const trainer of trainers) {
      const binned = trainer.bin(matrix, { bins: 32 });
      const expected = trainer.train(binned, leading);
      const rounds = treeCount(expected.ensemble);
      if (patience !== null) expect(rounds).toBeLessThan(12);
      const alike = others.map((task) => ({ ...task, parameters: { ...task.parameters, rounds } }));
      expect(trainer.trainAlike(binned, leading, others)).toEqual([
        expected,
        ...alike.map((task) => trainer.train(binned, task)),
      ]);
    }
  });

  test('records the cover of every node, and a parent covers as much as both children', () => {
    fc.assert(
      fc.property(problems, ({ matrix, bins, task }) => {
        const trainer = trainers[1]!;
        const { ensemble } = trainer.train(trainer.bin(matrix, { bins }), task);
        const { treeStarts, feature, left, cover } = ensemble;
        for (let tree = 0; tree < treeCount(ensemble); tree++) {
          const root = treeStarts[tree]!;
          for (let node = root; node < treeStarts[tree + 1]!; node++) {
            if (feature[node] === -1) continue;
            const children = [root + left[node]!, root + left[node]! + 1];
            for (const child of children) expect(cover[child]).toBeGreaterThan(0);
            expect(cover[children[0]!]! + cover[children[1]!]!).toBeCloseTo(cover[node]!, 0);
          }
        }
      }),
    );
  });

  test('gives the same scores as the reference scorer, bit for bit', () => {
    fc.assert(
      fc.property(problems, ({ matrix, bins, task }) => {
        const trainer = trainers[1]!;
        const binned = trainer.bin(matrix, { bins });
        const { ensemble, validationScores } = trainer.train(binned, { ...task, validation: matrix.allRows });
        expect(validationScores).toEqual(rawScores(ensemble, matrix));
      }),
    );
  });

  test('reports the losses of its model on the validation rows', () => {
    const matrix = noiseMatrix(4_000, 5, 6);
    const labels = plantedLabels(matrix, 3, 7);
    const weights = matrix.column(4);
    const validation = { from: 2_500, to: 4_000 };
    const task = { classes: 2, labels, weights, rows: { from: 0, to: 2_500 }, validation };
    const { ensemble, losses } = trainers[1]!.train(trainers[1]!.bin(matrix), {
      ...task,
      parameters: { rounds: 5, patience: 5 },
    });
    const scores = rawScores(ensemble, matrix, validation);
    const probabilities = scores.map((score) => 1 / (1 + Math.exp(-score)));
    const of = <T>(values: ArrayLike<T>) => Array.prototype.slice.call(values, 2_500, 4_000) as T[];
    const expected = logLoss({ probabilities, scores: 1, labels: of(labels), weights: of(weights) });
    expect(losses).toHaveLength(5);
    expect(losses[treeCount(ensemble) - 1]).toBeCloseTo(expected, 6);
  });

  test('stops when the validation loss has not fallen within the patience, and keeps the best round', () => {
    const matrix = noiseMatrix(40_000, 12, 13);
    const labels = plantedLabels(matrix, 5, 14);
    const task: TrainingTask = {
      classes: 2,
      labels,
      rows: { from: 0, to: 20_000 },
      validation: { from: 20_000, to: 40_000 },
      parameters: { rounds: 1_000, patience: 10, learningRate: 0.3 },
    };
    const trainer = trainers[1]!;
    const { ensemble, losses, validationScores } = trainer.train(trainer.bin(matrix), task);
    const best = losses.indexOf(Math.min(...losses));
    expect(losses).toHaveLength(best + 11);
    expect(treeCount(ensemble)).toBe(best + 1);
    const probabilities = validationScores.map((score) => 1 / (1 + Math.exp(-score)));
    expect(logLoss({ probabilities, scores: 1, labels: labels.subarray(20_000) })).toBeCloseTo(
      losses[best]!,
      6,
    );
  });

  test.each([NaN, Infinity])('refuses a feature value of %s and names the feature and row', (value) => {
    const matrix = new FeatureMatrix(['rsi14', 'roc5'], 2_000);
    matrix.column(1)[1_234] = value;
    expect(() => trainers[1]!.bin(matrix)).toThrow(new UnusableFeature('roc5', 1_234, value));
  });

  test.each<[string, Partial<TrainingTask>]>([
    ['label of row 2 ', { labels: [0, 1, 2, 0] }],
    ['labels must be', { labels: [0, 1] }],
    ['weight of row 0 ', { weights: [-1, 1, 1, 1] }],
    ['no weight', { weights: [0, 0, 0, 1] }],
    ['classes', { classes: 1 }],
    ['rows must', { rows: { from: 0, to: 5 } }],
    ['validation must', { validation: { from: -1, to: 2 } }],
    ['patience needs', { parameters: { patience: 3 } }],
    ['depth', { parameters: { depth: 9 } }],
    ['subsample', { parameters: { subsample: 0 } }],
  ])('refuses a task it cannot train on: %s', (message, part) => {
    const matrix = noiseMatrix(4, 1, 1);
    const task: TrainingTask = { classes: 2, labels: [0, 1, 1, 0], rows: { from: 0, to: 3 }, ...part };
    expect(() => trainers[0]!.train(trainers[0]!.bin(matrix), task)).toThrow(message);
  });

  test('refuses a matrix whose bins were replaced by those of another', () => {
    const binned = trainers[0]!.bin(noiseMatrix(10, 1, 1));
    const other = noiseMatrix(10, 1, 2);
    trainers[0]!.bin(other);
    const task = { classes: 2, labels: new Uint8Array(10), rows: other.allRows };
    expect(() => trainers[0]!.train(binned, task)).toThrow('binned last');
  });
});

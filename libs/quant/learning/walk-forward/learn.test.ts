import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noiseMatrix, plantedLabels } from '../boosting/planted-fixture.ts';
import { ThreadedTrainer } from '#trainer-threads/threaded-trainer.ts';
import { TrainingCancelled } from '../boosting/trainer.ts';
import { treeCount } from '../tree-ensemble.ts';
import { FeatureMatrix } from '../feature-matrix.ts';
import { auc, brierScore } from '../validation/scoring.ts';
import { learn, type Learnt, type LearningTask } from './learn.ts';
import { withMeanOne } from './fold-calibrations.ts';

const ROWS_A_DAY = 160;
const DAYS = 300;
const ROWS = ROWS_A_DAY * DAYS;
const PURGE_DAYS = 10;
const EMBARGO_DAYS = 5;

let one: ThreadedTrainer;
let two: ThreadedTrainer;
beforeAll(async () => {
  [one, two] = await Promise.all([ThreadedTrainer.start(1), ThreadedTrainer.start(2)]);
});
afterAll(() => Promise.all([one.stop(), two.stop()]));

const noise = noiseMatrix(ROWS, 10, 1);

function taskOf(change: Partial<LearningTask> = {}): LearningTask {
  return {
    matrix: noise,
    classes: 2,
    labels: plantedLabels(noise, 3, 2),
    weights: Float64Array.from({ length: ROWS }, (_, row) => 0.5 + (row % 11) / 10),
    days: Uint16Array.from({ length: ROWS }, (_, row) => 700 + Math.floor(row / ROWS_A_DAY)),
    walkForward: {
      folds: 4,
      foldDays: 50,
      leastTrainDays: 40,
      purgeDays: PURGE_DAYS,
      embargoDays: EMBARGO_DAYS,
    },
    parameters: { rounds: 40, depth: 4, subsample: 0.5, minChildWeight: 20, patience: 10 },
    ...change,
  };
}

/** AUC over all folds that have probabilities. */
function outOfFoldAuc({ folds }: Learnt): number {
  const judged = folds.filter(({ probabilities }) => probabilities);
  const probabilities = Float32Array.from(judged.flatMap((fold) => [...fold.probabilities!]));
  const labels = judged.flatMap((fold) => [...fold.labels]);
  return auc(probabilities, labels);
}

describe('a trained model', () => {
  test('finds no signal in noise out of fold: AUC 0.5 within 0.02', () => {
    for (const seed of [1, 2, 3]) {
      const trained = learn(one, taskOf({ labels: plantedLabels(noise, 0, 10 + seed) }));
      expect(Math.abs(outOfFoldAuc(trained) - 0.5)).toBeLessThan(0.02);
    }
  });

  test('finds a planted signal out of fold: AUC above 0.82 of a possible 0.88', () => {
    const trained = learn(one, taskOf());
    expect(outOfFoldAuc(trained)).toBeGreaterThan(0.82);
  });

  test('is calibrated out of fold: its Brier score matches the base rate on noise and beats it on a signal', () => {
    for (const [strength, margin] of [
      [0, 0.002],
      [3, -0.02],
    ] as const) {
      const { folds } = learn(one, taskOf({ labels: plantedLabels(noise, strength, 5) }));
      for (const { probabilities, labels } of folds.slice(2)) {
        const share = labels.reduce((sum, label) => sum + label, 0) / labels.length;
        const brier = brierScore({ probabilities: probabilities!, scores: 1, labels });
        expect(brier).toBeLessThan(share * (1 - share) + margin);
      }
    }
  });

  test('is trained on all rows with the number of rounds at which the first fold stopped', () => {
    const task = taskOf({ parameters: { rounds: 200, depth: 4, learningRate: 0.3, patience: 5 } });
    const trained = learn(one, task);
    expect(trained.rounds).toBeLessThan(200);
    expect(treeCount(trained.ensemble)).toBe(trained.rounds);
    const binned = one.bin(task.matrix, { cutRows: trained.folds[0]!.train });
    const { classes, labels, weights } = task;
    const parameters = { ...task.parameters, rounds: trained.rounds, patience: null };
    const rows = task.matrix.allRows;
    const all = one.train(binned, { classes, labels, weights: withMeanOne(weights), rows, parameters });
    expect(all.ensemble).toEqual(trained.ensemble);
  });

  test('does not depend on the unit of the weights', () => {
    const weights = taskOf().weights.map((weight) => 64 * weight);
    const [{ folds, ...usual }, { folds: heavyFolds, ...heavy }] = [
      learn(one, taskOf()),
      learn(one, taskOf({ weights })),
    ];
    expect(heavy).toEqual(usual);
    expect(heavyFolds.map(({ scores }) => scores)).toEqual(folds.map(({ scores }) => scores));
  });

  test('is the same on one thread and on two', () => {
    const [a, b] = [learn(one, taskOf()), learn(two, taskOf())];
    expect(a).toEqual(b);
  });

  test('gives five class probabilities that add up to 1', () => {
    const labels = Uint8Array.from(noise.column(4), (value, row) =>
      Math.floor(4.99 * (0.7 * value + 0.3 * noise.column(5)[row]!)),
    );
    const trained = learn(
      two,
      taskOf({ classes: 5, labels, parameters: { rounds: 10, depth: 3, patience: 5 } }),
    );
    expect(trained.calibration.kind).toBe('softmax');
    expect(treeCount(trained.ensemble)).toBe(5 * trained.rounds);
    for (const { validation, scores, probabilities } of trained.folds.slice(2)) {
      const rows = validation.to - validation.from;
      expect([scores.length, probabilities!.length]).toEqual([5 * rows, 5 * rows]);
      for (let at = 0; at < probabilities!.length; at += 5) {
        const sum = probabilities!.subarray(at, at + 5).reduce((a, b) => a + b);
        expect(Math.abs(sum - 1)).toBeLessThan(1e-5);
      }
    }
  });
});

describe('an out-of-fold forecast', () => {
  test('comes from a model whose training rows and labels end before the first validated day', () => {
    const { folds } = learn(one, taskOf());
    const { days } = taskOf();
    expect(folds).toHaveLength(4);
    for (const { train, validation } of folds) {
      expect(train.from).toBe(0);
      expect(days[train.to - 1]! + PURGE_DAYS + EMBARGO_DAYS).toBeLessThan(days[validation.from]!);
    }
  });

  test('does not depend on features, labels or weights of later rows', () => {
    const before = learn(one, taskOf()).folds;
    for (const k of [1, 2]) {
      const end = before[k]!.validation.to;
      const matrix = new FeatureMatrix(noise.names, ROWS);
      matrix.values.set(noise.values);
      for (let feature = 0; feature < matrix.names.length; feature++) matrix.column(feature).fill(1e9, end);
      const labels = taskOf().labels.map((label, row) => (row < end ? label : 1 - label));
      const weights = taskOf().weights.map((weight, row) => (row < end ? weight : 100 * weight));
      const after = learn(one, taskOf({ matrix, labels, weights })).folds;
      expect(after.slice(0, k + 1)).toEqual(before.slice(0, k + 1));
      expect(after.slice(k + 1)).not.toEqual(before.slice(k + 1));
    }
  });

  test('does not depend on its own label', () => {
    const before = learn(one, taskOf()).folds;
    for (const k of [2, 3]) {
      const start = before[k]!.validation.from;
      const labels = taskOf().labels.map((label, row) => (row < start ? label : 1 - label));
      const after = learn(one, taskOf({ labels })).folds[k]!;
      expect(after.scores).toEqual(before[k]!.scores);
      expect(after.probabilities).toEqual(before[k]!.probabilities);
    }
  });

  test('does not depend on labels that reach into its days, of training, calibration or the choice of rounds', () => {
    const { days, labels: usual, walkForward } = taskOf();
    for (const foldDays of [50, 20]) {
      const task = { walkForward: { ...walkForward, foldDays } };
      const before = learn(one, taskOf(task)).folds;
      for (const [k, { validation, probabilities }] of before.entries()) {
        if (!probabilities) continue;
        const open = days[validation.from]! - PURGE_DAYS - EMBARGO_DAYS;
        const labels = usual.map((label, row) => (days[row]! < open ? label : 1 - label));
        expect(learn(one, taskOf({ ...task, labels })).folds[k]!.probabilities).toEqual(probabilities);
      }
    }
  });

  test.each([
    [50, [false, false, true, true]],
    [14, [false, false, false, true]],
    [7, [false, false, false, false]],
  ])('of folds of %i days exists once every outcome that shaped it is known: %j', (foldDays, exist) => {
    const walkForward = { ...taskOf().walkForward, foldDays };
    const { folds } = learn(one, taskOf({ walkForward }));
    expect(folds.map(({ probabilities }) => probabilities !== null)).toEqual(exist);
  });
});

describe('learning ends', () => {
  test.each([1, 30, 70, 130])('between two trees when it is cancelled after %i of them', (trees) => {
    let requested = 0;
    const task = taskOf({ shouldStop: () => ++requested >= trees });
    expect(() => learn(one, task)).toThrow(TrainingCancelled);
    expect(requested).toBe(trees);
    expect(outOfFoldAuc(learn(one, taskOf()))).toBeGreaterThan(0.7);
  });

  test('at once when there are too few days for two folds', () => {
    const walkForward = { ...taskOf().walkForward, folds: 1 };
    expect(() => learn(one, taskOf({ walkForward }))).toThrow('too few days');
    expect(() => learn(one, taskOf({ days: new Uint16Array(ROWS) }))).toThrow('too few days');
  });
});

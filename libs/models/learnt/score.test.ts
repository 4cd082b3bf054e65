import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noiseMatrix, plantedLabels } from '#quant/learning/boosting/planted-fixture.ts';
import { ThreadedTrainer } from '#trainer-threads/threaded-trainer.ts';
import { type Calibration, calibrated } from '#quant/learning/calibration/calibration.ts';
import { fitIsotonic } from '#quant/learning/calibration/isotonic.ts';
import { FeatureMatrix } from '#quant/learning/feature-matrix.ts';
import { rawScores, type TreeEnsemble } from '#quant/learning/tree-ensemble.ts';
import { exportOnnx } from '#quant/learning/onnx/export-onnx.ts';
import { score } from './score.ts';
import type { ScoringOrder, ScoringReport } from './scoring-thread-fixture.ts';

const matrix = noiseMatrix(4_000, 12, 1);
const labels = plantedLabels(matrix, 3, 2);
const classLabels = matrix.column(5).map((value) => Math.floor(4.99 * value));

let trainer: ThreadedTrainer;
beforeAll(async () => {
  trainer = await ThreadedTrainer.start(1);
});
afterAll(() => trainer.stop());

function trained(classes: number, of: ArrayLike<number>): TreeEnsemble {
  const task = { classes, labels: of, rows: matrix.allRows, parameters: { rounds: 60, depth: 5 } };
  return trainer.train(trainer.bin(matrix), task).ensemble;
}

describe('the runtime gives the probabilities of the model within a millionth', () => {
  test.each<[string, number, ArrayLike<number>, (raw: Float32Array) => Calibration]>([
    ['by Platt', 2, labels, () => ({ kind: 'platt', slope: 0.8, intercept: -0.1 })],
    ['by an isotonic curve', 2, labels, (raw) => fitIsotonic(raw, labels)],
    ['of five classes', 5, classLabels, () => ({ kind: 'softmax', temperature: 1.7 })],
  ])('%s', async (_, classes, of, calibrationOf) => {
    const ensemble = trained(classes, of);
    const raw = rawScores(ensemble, matrix);
    const calibration = calibrationOf(raw);
    const expected = calibrated(calibration, raw, ensemble.scores);
    const probabilities = await score(exportOnnx(ensemble, calibration), matrix);
    expect(probabilities).toHaveLength(expected.length);
    let largest = 0;
    for (const [i, p] of expected.entries()) largest = Math.max(largest, Math.abs(p - probabilities[i]!));
    expect(largest).toBeLessThan(1e-6);
  });

  test('also for a single row', async () => {
    const ensemble = trained(2, labels);
    const row = noiseMatrix(1, 12, 9);
    const [p] = await score(exportOnnx(ensemble, { kind: 'logistic' }), row);
    expect(p).toBeCloseTo(calibrated({ kind: 'logistic' }, rawScores(ensemble, row), 1)[0]!, 6);
  });
});

test('a chance does not depend on the rows scored with it, bit for bit', async () => {
  const onnx = exportOnnx(trained(2, labels), { kind: 'logistic' });
  const together = await score(onnx, matrix);
  for (const row of [0, 60, 3_999]) {
    const alone = new FeatureMatrix(matrix.names, 1);
    for (const f of matrix.names.keys()) alone.column(f)[0] = matrix.column(f)[row]!;
    expect([...(await score(onnx, alone))]).toEqual([together[row]]);
  }
});

test('an invalid graph is rejected with an error', async () => {
  await expect(score(Uint8Array.of(1, 2, 3), matrix)).rejects.toThrow();
});

describe('inside a worker thread', () => {
  const few = noiseMatrix(10, 12, 9);
  const FIXTURE = new URL('./scoring-thread-fixture.ts', import.meta.url);

  async function inThread(thread: Worker, times: number, onnx: Uint8Array): Promise<ScoringReport> {
    const { names, rowCount, values } = few;
    thread.postMessage({ onnx, names: [...names], rowCount, values, times } satisfies ScoringOrder);
    const [report] = (await once(thread, 'message')) as [ScoringReport];
    return report;
  }

  test('scoring works repeatedly, in one thread after another, without leaking memory', async () => {
    const ensemble = trained(2, labels);
    const onnx = exportOnnx(ensemble, { kind: 'logistic' });
    const expected = await score(onnx, few);
    for (let life = 0; life < 3; life++) {
      const thread = new Worker(FIXTURE);
      const warm = await inThread(thread, 50, onnx);
      const later = await inThread(thread, 200, onnx);
      expect(later.probabilities).toEqual(expected);
      expect(later.residentBytes - warm.residentBytes).toBeLessThan(200 * onnx.length);
      await thread.terminate();
    }
  });
});

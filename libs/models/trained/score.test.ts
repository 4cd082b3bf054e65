import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noiseMatrix, plantedLabels } from '#quant/learning/boosting/planted-fixture.ts';
import { ThreadedTrainer } from '#trainer-threads/threaded-trainer.ts';
import { FeatureMatrix } from '#quant/learning/feature-matrix.ts';
import type { TreeEnsemble } from '#quant/learning/tree-ensemble.ts';
import { exportOnnx } from '#quant/learning/onnx/export-onnx.ts';
import { score } from './score.ts';
import type { ScoringOrder, ScoringReport } from './scoring-thread-fixture.ts';

const matrix = noiseMatrix(4_000, 12, 1);
const labels = plantedLabels(matrix, 3, 2);

let trainer: ThreadedTrainer;
beforeAll(async () => {
  trainer = await ThreadedTrainer.start(1);
});
afterAll(() => trainer.stop());

function trained(): TreeEnsemble {
  const task = { classes: 2, labels, rows: matrix.allRows, parameters: { rounds: 60, depth: 5 } };
  return trainer.train(trainer.bin(matrix), task).ensemble;
}

test('a chance does not depend on the rows scored with it, bit for bit', async () => {
  const onnx = exportOnnx(trained(), { kind: 'logistic' });
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
    const ensemble = trained();
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

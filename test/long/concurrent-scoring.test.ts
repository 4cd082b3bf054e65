import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import type { ScoringOrder, ScoringReport } from '#models/trained/scoring-thread-fixture.ts';
import { score } from '#models/trained/score.ts';
import { noiseMatrix, plantedLabels } from '#quant/learning/boosting/planted-fixture.ts';
import { exportOnnx } from '#quant/learning/onnx/export-onnx.ts';
import { ThreadedTrainer } from '#trainer-threads/threaded-trainer.ts';

const THREAD = new URL('../../libs/models/trained/scoring-thread-fixture.ts', import.meta.url);
const THREADS = 4;
const TIMES = 2_500;

test('10,000 scorings by four threads of one process at the same time give the same numbers and no crash', async () => {
  const matrix = noiseMatrix(200, 12, 1);
  const trainer = await ThreadedTrainer.start(1);
  const task = {
    classes: 2,
    labels: plantedLabels(matrix, 2, 1),
    rows: matrix.allRows,
    parameters: { rounds: 20 },
  };
  const { ensemble } = trainer.train(trainer.bin(matrix), task);
  await trainer.stop();
  const onnx = exportOnnx(ensemble, { kind: 'logistic' });
  const expected = await score(onnx, matrix);
  const { rowCount, values } = matrix;
  const order: ScoringOrder = { onnx, names: [...matrix.names], rowCount, values, times: TIMES };
  const threads = Array.from({ length: THREADS }, () => new Worker(THREAD));
  const reports = threads.map(async (thread) => {
    thread.postMessage(order);
    const [report] = (await once(thread, 'message')) as [ScoringReport];
    return report;
  });
  for (const { probabilities } of await Promise.all(reports)) expect(probabilities).toEqual(expected);
  await Promise.all(threads.map((thread) => thread.terminate()));
});

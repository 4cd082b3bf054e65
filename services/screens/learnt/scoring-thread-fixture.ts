/** A thread that scores a matrix as often as it is asked, as the screen thread does run after run. */
import { parentPort } from 'node:worker_threads';
import { FeatureMatrix } from '#quant/learning/feature-matrix.ts';
import { score } from './score.ts';

export interface ScoringOrder {
  onnx: Uint8Array;
  names: string[];
  rowCount: number;
  values: Float32Array;
  times: number;
}

export interface ScoringReport {
  probabilities: Float32Array;
  /** Memory of the process after all of it. */
  residentBytes: number;
}

parentPort!.on('message', ({ onnx, names, rowCount, values, times }: ScoringOrder) => {
  const matrix = new FeatureMatrix(names, rowCount);
  matrix.values.set(values);
  void (async () => {
    let probabilities: Float32Array = new Float32Array();
    for (let i = 0; i < times; i++) probabilities = await score(onnx, matrix);
    parentPort!.postMessage({
      probabilities,
      residentBytes: process.memoryUsage.rss(),
    } satisfies ScoringReport);
  })();
});

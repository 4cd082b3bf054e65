/** A thread that scores a matrix the requested number of times, as the screen thread does run after run. */
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
  /** Resident memory of the process at the end. */
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

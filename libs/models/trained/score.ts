import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { FeatureMatrix } from '#quant/learning/feature-matrix.ts';
import { INPUT_NAME, OUTPUT_NAME } from '#quant/learning/onnx/export-onnx.ts';

/**
 * A model scores one day's names once, in a few milliseconds on the calling thread. Threads, an arena and memory patterns would
 * cost more than they save, and the session is discarded afterwards, with any optimisation of it. More threads would also add up
 * trees in another order, so that the bits of a chance would depend on the machine and on the rows scored with it.
 */
const OPTIONS: InferenceSession.SessionOptions = {
  executionProviders: ['cpu'],
  executionMode: 'sequential',
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  graphOptimizationLevel: 'disabled',
  enableCpuMemArena: false,
  enableMemPattern: false,
};

/**
 * Probabilities of all rows of a matrix, computed from an exported graph by ONNX Runtime: of label 1 for two classes; for more,
 * of every class, row by row.
 */
export async function score(onnx: Uint8Array, matrix: FeatureMatrix): Promise<Float32Array> {
  const session = await InferenceSession.create(onnx, OPTIONS);
  try {
    const features = new Tensor('float32', matrix.rowMajor(), [matrix.rowCount, matrix.names.length]);
    const { [OUTPUT_NAME]: probability } = await session.run({ [INPUT_NAME]: features });
    return Float32Array.from(probability!.data as Float32Array);
  } finally {
    await session.release();
  }
}

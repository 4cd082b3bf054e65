import { exportOnnx } from '#quant/learning/onnx/export-onnx.ts';
import type { Learnt } from '#quant/learning/walk-forward/learn.ts';
import type { LearntModel } from '../screen.ts';
import type { Provenance } from './provenance.ts';

/** The graph with its calibration inside and its provenance as metadata. */
export function keptModel({ ensemble, calibration }: Learnt, provenance: Provenance): LearntModel {
  const { model_id, version, dataset_version, as_of, seed, training, fingerprint } = provenance;
  const onnx = exportOnnx(ensemble, calibration, {
    model_id,
    version,
    dataset_version,
    as_of,
    training_from: training.from,
    training_to: training.to,
    training_rows: String(training.rows),
    seed: String(seed),
    fingerprint,
  });
  return { onnx, fingerprint };
}

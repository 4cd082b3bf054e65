import type { Learnt } from '#quant/learning/walk-forward/learn.ts';
import { trajectoryOf } from '#quant/recovery/trajectory.ts';
import { rounded } from '../display.ts';
import { featuresOf } from '../learnt/description.ts';
import { fingerprint, sha256 } from '../learnt/fingerprint.ts';
import type { Provenance } from '../learnt/provenance.ts';
import type { LearntModel, ScreenInput } from '../screen.ts';
import { RECOVERY_BOOSTING, recoveryFolds } from './recovery-plan.ts';
import { baseRates, type RecoveryQuality } from './recovery-quality.ts';
import { spanOf, type RecoverySet } from './recovery-set.ts';

export const MODEL_ID = 'recovery_v4';
/** Part of the fingerprint: another method, another version. */
const VERSION = 'v4';

export function recoveryProvenance(
  { panel: { columns }, dataset, params, view }: ScreenInput,
  set: RecoverySet,
  day: number,
  horizonDays: number,
): Provenance {
  const { days, labels, matrix } = set;
  const [from, to] = [columns.dates[days[0]!]!, columns.dates[days.at(-1)!]!];
  const told = {
    model_id: MODEL_ID,
    version: VERSION,
    dataset_version: dataset.version,
    as_of: columns.dates[day]!,
    seed: RECOVERY_BOOSTING.seed,
    training: { from, to, days: spanOf(set), rows: labels.length },
  };
  const inputs = {
    ...told,
    view,
    params: { ...params, analysis_date: told.as_of },
    features: matrix.names,
    boosting: RECOVERY_BOOSTING,
    folds: recoveryFolds(spanOf(set), horizonDays),
  };
  return { ...told, fingerprint: fingerprint(inputs, [matrix.values, labels]) };
}

/** What `diag.model` of the full view says. */
export function describeRecovery(
  { fingerprint, seed, dataset_version, training }: Provenance,
  learnt: Learnt,
  { labels }: RecoverySet,
  { onnx }: LearntModel,
  quality: RecoveryQuality,
): Record<string, unknown> {
  const { calibration } = learnt;
  return {
    fingerprint,
    onnx_sha256: sha256(onnx),
    onnx_bytes: onnx.length,
    seed,
    dataset_version,
    training: { ...training, base_rates_pct: trajectoryOf(baseRates(labels)) },
    rounds: learnt.rounds,
    calibration: calibration.kind,
    ...(calibration.kind === 'softmax' && { temperature: rounded(calibration.temperature, 4) }),
    out_of_fold: quality,
    ...featuresOf(learnt),
  };
}

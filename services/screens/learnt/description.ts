import type { LearntModel } from './learnt-market.ts';
import { featureImportance, type TreeEnsemble } from '#quant/learning/tree-ensemble.ts';
import type { Learnt } from '#quant/learning/walk-forward/learn.ts';
import type { Localised } from '#shared/text/localised.ts';
import { rounded } from '../display.ts';
import { digestOf, type Provenance } from './provenance.ts';

const MOST_IMPORTANT = 10;

/** A model, and what only its screen can say of it. */
interface Described {
  provenance: Provenance;
  learnt: Pick<Learnt, 'ensemble' | 'calibration' | 'rounds'>;
  model: LearntModel;
  /** How often each outcome came in the rows learnt from. */
  baseRates: Record<string, unknown>;
  /** How its forecasts of days that it had not seen came out. */
  outOfFold: object;
  /** What whoever reads a forecast must know first; for display. */
  caution: Localised | undefined;
}

/** What the full view says of a learnt model: where it comes from, how it was measured, what it looks at. */
export function describe(described: Described): Record<string, unknown> {
  const { provenance, learnt, model, baseRates, outOfFold, caution } = described;
  const { fingerprint, seed, dataset_version, training } = provenance;
  const { calibration, rounds } = learnt;
  return {
    fingerprint,
    onnx_sha256: digestOf([model.onnx]),
    onnx_bytes: model.onnx.length,
    seed,
    dataset_version,
    training: { ...training, ...baseRates },
    rounds,
    calibration: calibration.kind,
    ...(calibration.kind === 'softmax' && { temperature: rounded(calibration.temperature, 4) }),
    out_of_fold: outOfFold,
    ...(caution !== undefined && { caution }),
    ...featuresOf(learnt.ensemble),
  };
}

/** Those that the splits rest on most, and all of them in the order of the graph's columns. */
function featuresOf(ensemble: TreeEnsemble): Record<string, unknown> {
  const importance = featureImportance(ensemble).slice(0, MOST_IMPORTANT);
  return {
    features: importance.map(({ feature, share }) => ({
      name: feature,
      importance_pct: rounded(100 * share, 1),
    })),
    feature_names: ensemble.featureNames,
  };
}

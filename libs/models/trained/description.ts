import type { TrainedModel } from './trained-market.ts';
import { featureImportance, type TreeEnsemble } from '#quant/learning/tree-ensemble.ts';
import type { Learnt } from '#quant/learning/walk-forward/learn.ts';
import type { Localised } from '#foundation/text/localised.ts';
import { toDecimals } from '#foundation/rounded.ts';
import { digestOf, type Provenance } from './provenance.ts';

const MOST_IMPORTANT = 10;

/** A model with the facts that only its screen knows. */
interface Described {
  provenance: Provenance;
  trained: Pick<Learnt, 'ensemble' | 'calibration' | 'rounds'>;
  model: TrainedModel;
  /** Frequency of each outcome in the rows trained on. */
  baseRates: Record<string, unknown>;
  /** Results of its forecasts on days that it had not seen. */
  outOfFold: object;
  /** A warning that a reader needs before using a forecast; for display. */
  caution: Localised | undefined;
}

/** The full view's description of a trained model: its origin, its measured quality and its features. */
export function describe(described: Described): Record<string, unknown> {
  const { provenance, trained, model, baseRates, outOfFold, caution } = described;
  const { fingerprint, seed, dataset_version, training } = provenance;
  const { calibration, rounds } = trained;
  return {
    fingerprint,
    onnx_sha256: digestOf([model.onnx]),
    onnx_bytes: model.onnx.length,
    seed,
    dataset_version,
    training: { ...training, ...baseRates },
    rounds,
    calibration: calibration.kind,
    ...(calibration.kind === 'softmax' && { temperature: toDecimals(calibration.temperature, 4) }),
    out_of_fold: outOfFold,
    ...(caution !== undefined && { caution }),
    ...featuresOf(trained.ensemble),
  };
}

/** The features that the splits use most, and all feature names in the order of the graph's columns. */
function featuresOf(ensemble: TreeEnsemble): Record<string, unknown> {
  const importance = featureImportance(ensemble).slice(0, MOST_IMPORTANT);
  return {
    features: importance.map(({ feature, share }) => ({
      name: feature,
      importance_pct: toDecimals(100 * share, 1),
    })),
    feature_names: ensemble.featureNames,
  };
}

import { featureImportance } from '#quant/learning/ensemble/feature-importance.ts';
import { auc } from '#quant/learning/validation/auc.ts';
import { calibrationError, reliabilityTable } from '#quant/learning/validation/reliability.ts';
import { brierScore, logLoss } from '#quant/learning/validation/scoring-rules.ts';
import type { Learnt } from '#quant/learning/walk-forward/learn.ts';
import { ascendingOrder } from '#quant/learning/sorting/ascending-order.ts';
import { rounded } from '../display.ts';
import type { LearntModel } from '../screen.ts';
import { sha256 } from './fingerprint.ts';
import type { PastForecast } from './learnt-market.ts';
import type { Provenance } from './provenance.ts';

const MOST_IMPORTANT = 10;

/** What the full view says of a learnt model: whence it comes, how it was measured, what it looks at. */
export function describe(
  provenance: Provenance,
  learnt: Learnt,
  { onnx }: LearntModel,
  past: readonly PastForecast[],
  baseRate: number,
): Record<string, unknown> {
  const { fingerprint, seed, dataset_version, training } = provenance;
  return {
    fingerprint,
    onnx_sha256: sha256(onnx),
    onnx_bytes: onnx.length,
    seed,
    dataset_version,
    training: { ...training, base_rate_pct: percent(baseRate) },
    rounds: learnt.rounds,
    calibration: learnt.calibration.kind,
    out_of_fold: outOfFoldScores(past),
    ...featuresOf(learnt),
  };
}

/** Forecasts of days their models had not seen, against what came. Every name of every day counts the same. */
function outOfFoldScores(past: readonly PastForecast[]): Record<string, number> {
  const probabilities = Float32Array.from(past, ({ chance }) => chance);
  const labels = Uint8Array.from(past, ({ won }) => (won ? 1 : 0));
  const forecasts = { probabilities, scores: 1, labels };
  const highest = ascendingOrder(probabilities).subarray(-Math.ceil(past.length / 10));
  return {
    rows: past.length,
    auc: rounded(auc(probabilities, labels), 4),
    log_loss: rounded(logLoss(forecasts), 5),
    brier: rounded(brierScore(forecasts), 5),
    calibration_error: rounded(calibrationError(reliabilityTable(probabilities, labels)), 4),
    win_rate_pct: percentOfRows(labels, (row) => labels[row] === 1),
    top_decile_win_rate_pct: percentOfRows(highest, (i) => labels[highest[i]!] === 1),
  };
}

/** Those that the splits rest on most, and all of them in the order of the graph's columns. */
export function featuresOf({ ensemble }: Learnt): Record<string, unknown> {
  const importance = featureImportance(ensemble).slice(0, MOST_IMPORTANT);
  return {
    features: importance.map(({ feature, share }) => ({ name: feature, importance_pct: percent(share) })),
    feature_names: ensemble.featureNames,
  };
}

function percent(fraction: number): number {
  return rounded(100 * fraction, 1);
}

function percentOfRows(rows: ArrayLike<number>, isWin: (at: number) => boolean): number {
  let wins = 0;
  for (let i = 0; i < rows.length; i++) if (isWin(i)) wins++;
  return percent(wins / rows.length);
}

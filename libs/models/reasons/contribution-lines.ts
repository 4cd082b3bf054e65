import { sumOf, TreeContributions } from '#quant/learning/contributions/tree-contributions.ts';
import { type Calibration, calibrated, plattLogOdds } from '#quant/learning/calibration/calibration.ts';
import type { FeatureMatrix } from '#quant/learning/feature-matrix.ts';
import type { TreeEnsemble } from '#quant/learning/tree-ensemble.ts';
import { toDecimals } from '#foundation/rounded.ts';
import type { ContributionLines, FeatureLine } from './schema.ts';

/** A model of two classes with its calibration. */
export interface TwoClassModel {
  ensemble: TreeEnsemble;
  calibration: Calibration;
}

/** The same model, prepared for explaining rows. */
export interface ExplainedModel {
  trees: TreeContributions;
  calibration: Calibration;
}

export function explained({ ensemble, calibration }: TwoClassModel): ExplainedModel {
  return { trees: new TreeContributions(ensemble), calibration };
}

/** The numbers shown for a name. */
interface Shown {
  win_chance_pct: number | null;
  base_rate_pct: number | null;
  probability: number;
}

const VALUE_DECIMALS = 4;
/** With so many decimals, sixty contributions sum to their total within 1e-10. */
const LOG_ODDS_DECIMALS = 12;

/** The contributions to a row's chance, line by line, the largest first. */
export function contributionLines(
  { trees, calibration }: ExplainedModel,
  matrix: FeatureMatrix,
  row: number,
  shown: Shown,
): ContributionLines {
  const [contributions] = trees.of(matrix, row);
  const raw = sumOf(contributions!);
  const log_odds = calibratedLogOdds(calibration, raw);
  const { win_chance_pct, base_rate_pct, probability } = shown;
  return {
    base_value: logOdds(contributions!.base),
    features: featureLines(matrix, row, contributions!.ofFeature),
    calibration: log_odds === null ? null : logOdds(log_odds - raw),
    log_odds: log_odds === null ? null : logOdds(log_odds),
    win_chance_pct,
    base_rate_pct,
    scale: win_chance_pct === null ? null : toDecimals(probability - win_chance_pct, 1),
    probability,
  };
}

/** One line per feature, the largest contributions first. */
export function featureLines(matrix: FeatureMatrix, row: number, contributions: Float64Array): FeatureLine[] {
  const lines = matrix.names.map((name, f) => ({
    name,
    value: toDecimals(matrix.column(f)[row]!, VALUE_DECIMALS),
    log_odds: logOdds(contributions[f]!),
  }));
  return lines.sort((a, b) => Math.abs(b.log_odds) - Math.abs(a.log_odds));
}

export function logOdds(value: number): number {
  return toDecimals(value, LOG_ODDS_DECIMALS);
}

/** Null for a chance of 0 or 1, which has no finite log-odds. */
function calibratedLogOdds(calibration: Calibration, raw: number): number | null {
  if (calibration.kind === 'logistic') return raw;
  if (calibration.kind === 'platt') return plattLogOdds(calibration, raw);
  const [chance] = calibrated(calibration, [raw], 1);
  const odds = Math.log(chance! / (1 - chance!));
  return Number.isFinite(odds) ? odds : null;
}

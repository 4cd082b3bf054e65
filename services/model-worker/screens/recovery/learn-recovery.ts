import type { FeatureTable } from '#quant/features/feature-table.ts';
import type { FeatureMatrix } from '#quant/learning/matrix/feature-matrix.ts';
import { learn } from '#quant/learning/walk-forward/learn.ts';
import { AnalogLibrary } from '#quant/recovery/analogs.ts';
import { DailyVolatility } from '#quant/recovery/daily-volatility.ts';
import { RETURN_BUCKETS } from '#quant/recovery/return-buckets.ts';
import { trajectoryOf } from '#quant/recovery/trajectory.ts';
import { describe } from '../learnt/description.ts';
import { keptModel } from '../learnt/kept-model.ts';
import { type Lesson, provenanceOf, spannedDays } from '../learnt/provenance.ts';
import { score } from '../scoring/score.ts';
import type { LearntModel, ScreenInput } from '../screen.ts';
import { recoveryMatrix } from './recovery-features.ts';
import { MODEL_ID, RECOVERY_BOOSTING, recoveryFolds, VERSION } from './recovery-plan.ts';
import { baseRates, cautionOf, recoveryQuality, type RecoveryQuality } from './recovery-quality.ts';
import { LIKENESS_BARS, recoverySet, type RecoverySet } from './recovery-set.ts';

/** A row of the feature table as the forecast sees it. */
export interface Forecast {
  /** Chance of each bucket, 0 to 1, in their order. */
  chances: Float32Array;
  /** What they rest on, by name. */
  features: Record<string, number>;
  /** Daily volatility by which analogs are likened, a fraction. */
  volatility: number;
}

/** What was learnt for a day, and what it says of the rows it was learnt for. */
export interface LearntRecovery {
  /** One a row asked for, in their order. */
  forecasts: Forecast[];
  analogs: AnalogLibrary;
  quality: RecoveryQuality;
  model: LearntModel;
  /** What `diag.model` of the full view says. */
  description: Record<string, unknown>;
}

const CLASSES = RETURN_BUCKETS.length;

/**
 * Learns what became of stocks within the horizon and forecasts `rows` of the feature table, through the same graph
 * that is kept beside the result.
 * @throws RunFailure when there is too little to learn from.
 */
export async function learnRecovery(
  input: ScreenInput,
  day: number,
  horizonDays: number,
  rows: Uint32Array,
): Promise<LearntRecovery> {
  const table = input.features();
  const volatility = new DailyVolatility(input.panel);
  const set = recoverySet(table, day, horizonDays, volatility);
  const learnt = learn(await input.trainer(), {
    ...set,
    classes: CLASSES,
    weights: new Float64Array(set.labels.length).fill(1),
    walkForward: recoveryFolds(spannedDays(set.days), horizonDays),
    parameters: RECOVERY_BOOSTING,
    shouldStop: input.shouldStop,
  });
  const matrix = recoveryMatrix(table, rows, volatility);
  const provenance = provenanceOf(input, lessonOf(set, matrix, day, horizonDays));
  const model = keptModel(learnt, provenance);
  const chances = await score(model.onnx, matrix);
  const quality = recoveryQuality(learnt, set.labels);
  return {
    forecasts: Array.from(rows, (row, i) => ({
      chances: chances.subarray(i * CLASSES, (i + 1) * CLASSES),
      features: Object.fromEntries(matrix.names.map((name, f) => [name, matrix.column(f)[i]!])),
      volatility: volatilityOf(table, row, volatility),
    })),
    analogs: new AnalogLibrary(set.past),
    quality,
    model,
    description: describe({
      ...{ provenance, learnt, model, outOfFold: quality, caution: cautionOf(quality) },
      baseRates: { base_rates_pct: trajectoryOf(baseRates(set.labels)) },
    }),
  };
}

function lessonOf(
  { matrix, labels, days }: RecoverySet,
  scored: FeatureMatrix,
  day: number,
  horizonDays: number,
): Lesson {
  return {
    ...{ modelId: MODEL_ID, version: VERSION, day, seed: RECOVERY_BOOSTING.seed, days },
    method: {
      features: matrix.names,
      boosting: RECOVERY_BOOSTING,
      folds: recoveryFolds(spannedDays(days), horizonDays),
    },
    numbers: [matrix.values, labels, scored.values],
  };
}

function volatilityOf({ columns }: FeatureTable, row: number, volatility: DailyVolatility): number {
  return volatility.of(columns.ticker[row]!, columns.panelRow[row]!, LIKENESS_BARS);
}

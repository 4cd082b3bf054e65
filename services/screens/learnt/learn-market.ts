import type { FeatureTable } from '#quant/features/feature-table.ts';
import type { FeatureMatrix } from '#quant/learning/feature-matrix.ts';
import { exportOnnx } from '#quant/learning/onnx/export-onnx.ts';
import { baseRate } from '#quant/learning/walk-forward/fold-calibrations.ts';
import { learn, type Learnt, type LearningTask } from '#quant/learning/walk-forward/learn.ts';
import { modelQuality } from '#quant/learning/validation/model-quality.ts';
import { rounded } from '../display.ts';
import { analysedDay, RunFailure, type ScreenInput } from '../screen.ts';
import { buyableRows, isBuyable } from './buyable.ts';
import { describe } from './description.ts';
import {
  bestOfEachDay,
  type LearningRequest,
  type LearntMarket,
  type LearntModel,
  type PastForecast,
  type ScoredStock,
  stocksAt,
} from './learnt-market.ts';
import { cautionOf, outOfFold } from './out-of-fold.ts';
import { type Lesson, type Provenance, provenanceOf, spannedDays } from './provenance.ts';
import { score } from './score.ts';
import {
  BINNING,
  boostingOf,
  featureMatrix,
  leastDays,
  leastTrainDays,
  trainingRows,
  trainingSet,
  type TrainingSet,
  UNCOUNTED_FOLDS,
  walkForward,
} from './training.ts';

/** Fewer rows make no model, only a memory of a few names. */
const MIN_ROWS = 1_000;

/**
 * Learns for a day and scores its names, through the same graph that is kept beside the result.
 * @throws RunFailure when the days before the analysed one are too few to learn from.
 */
export async function learnMarket(input: ScreenInput, request: LearningRequest): Promise<LearntMarket> {
  const day = analysedDay(input.panel, request.analysisDate, leastDays(request.horizonDays));
  const table = input.features();
  const set = trainingSet(table, requireEnough(table, day, request), day, request);
  const learnt = learn(await input.trainer(), learningTask(set, input, request));
  const rate = baseRate(learnt.folds);
  const rows = buyableRows(table, day);
  const scored = featureMatrix(table, rows, request.extraFeatures);
  const provenance = provenanceOf(input, lessonOf(set, scored, request, day));
  const model = keptModel(learnt, provenance);
  const past = pastForecasts(table, set, learnt);
  const scores = outOfFold(past);
  const market: LearntMarket = {
    day,
    asOf: provenance.as_of,
    stocks: await scoredStocks(table, rows, scored, model.onnx, rate),
    past,
    baseRate: rate,
    model,
    description: describe({
      ...{ provenance, learnt, model, outOfFold: scores, caution: cautionOf(scores) },
      baseRates: { base_rate_pct: rounded(100 * rate, 1) },
    }),
    quality: (picksOf) => modelQuality(bestOfEachDay(past, picksOf)),
  };
  input.onLearnt?.(market);
  return market;
}

/**
 * Rows of the feature table to learn from.
 * @throws RunFailure when they are too few.
 */
export function requireEnough(
  table: FeatureTable,
  day: number,
  request: Pick<LearningRequest, 'horizonDays' | 'trainDays'>,
): Uint32Array {
  const rows = trainingRows(table, day, request);
  const days = rows.length === 0 ? 0 : table.dayOf(rows.at(-1)!) - table.dayOf(rows[0]!) + 1;
  if (rows.length >= MIN_ROWS && days >= leastTrainDays(request.horizonDays)) return rows;
  throw new RunFailure(
    `Data untuk belajar terlalu sedikit: baru ${rows.length} contoh saham likuid dalam ${days} hari bursa, sedangkan model memerlukan ${MIN_ROWS} contoh dalam ${leastTrainDays(request.horizonDays)} hari.`,
  );
}

function learningTask(
  { matrix, outcomes, weights, days }: TrainingSet,
  { shouldStop }: ScreenInput,
  request: LearningRequest,
): LearningTask {
  return {
    matrix,
    classes: 2,
    labels: outcomes.won,
    weights,
    days,
    walkForward: walkForward(spannedDays(days), request.horizonDays),
    parameters: boostingOf(request),
    binning: BINNING,
    shouldStop,
  };
}

function lessonOf(
  { matrix, outcomes, weights, days }: TrainingSet,
  scored: FeatureMatrix,
  request: LearningRequest,
  day: number,
): Lesson {
  const boosting = boostingOf(request);
  return {
    ...{ modelId: request.modelId, version: request.version, day, seed: boosting.seed, days },
    method: {
      barriers: [request.targetGain, request.stopLoss, request.horizonDays],
      features: matrix.names,
      boosting,
      binning: BINNING,
      folds: walkForward(spannedDays(days), request.horizonDays),
    },
    numbers: [matrix.values, outcomes.filled, outcomes.won, outcomes.netReturn, weights, scored.values],
  };
}

async function scoredStocks(
  table: FeatureTable,
  rows: Uint32Array,
  scored: FeatureMatrix,
  onnx: Uint8Array,
  baseRate: number,
): Promise<ScoredStock[]> {
  if (rows.length === 0) return [];
  const chances = await score(onnx, scored);
  const stockAt = stocksAt(table, baseRate);
  return Array.from(rows, (row, i) => stockAt(row, chances[i]!));
}

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

/** Forecasts of the folds that count, with the probabilities that would have been shown at the time. */
function pastForecasts(
  table: FeatureTable,
  set: Pick<TrainingSet, 'rows' | 'days' | 'outcomes'>,
  { folds }: Pick<Learnt, 'folds'>,
): PastForecast[] {
  const { filled, won, netReturn } = set.outcomes;
  return folds.flatMap(({ validation, probabilities }, fold) => {
    if (fold < UNCOUNTED_FOLDS || !probabilities) return [];
    const stockAt = stocksAt(table, baseRate(folds.slice(0, fold)));
    return Array.from(probabilities).flatMap((chance, i) => {
      const at = validation.from + i;
      const row = set.rows[at]!;
      if (!isBuyable(table, row)) return [];
      return {
        ...stockAt(row, chance),
        day: set.days[at]!,
        filled: filled[at] === 1,
        netReturn: netReturn[at]!,
        won: won[at] === 1,
      };
    });
  });
}

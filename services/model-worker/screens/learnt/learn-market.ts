import type { FeatureTable } from '#quant/features/feature-table.ts';
import type { FeatureMatrix } from '#quant/learning/matrix/feature-matrix.ts';
import { baseRate } from '#quant/learning/walk-forward/base-rate.ts';
import { learn } from '#quant/learning/walk-forward/learn.ts';
import type { LearningTask } from '#quant/learning/walk-forward/learning-task.ts';
import { modelQuality } from '#quant/model-quality/model-quality.ts';
import { rounded } from '../display.ts';
import { RunFailure } from '../run-failure.ts';
import { score } from '../scoring/score.ts';
import { analysedDay } from '../analysed-day.ts';
import type { ScreenInput } from '../screen.ts';
import { bestOfEachDay } from './best-of-each-day.ts';
import { describe } from './description.ts';
import { keptModel } from './kept-model.ts';
import { BINNING, boostingOf, leastDays, leastTrainDays, walkForward } from './learning-plan.ts';
import type { LearningWish, LearnMarket, LearntMarket, ScoredStock } from './learnt-market.ts';
import { cautionOf, outOfFold } from './out-of-fold.ts';
import { pastForecasts } from './past-forecasts.ts';
import { type Lesson, provenanceOf, spannedDays } from './provenance.ts';
import { stockOf } from './scored-stock.ts';
import { featureMatrix, trainingRows, trainingSet, type TrainingSet } from './training-set.ts';

/** Fewer rows make no model, only a memory of a few names. */
const LEAST_ROWS = 1_000;

/** Learns for a day and scores its names, through the same graph that is kept beside the result. */
export const learnMarket: LearnMarket = async (input, wish) => {
  const day = analysedDay(input.panel, wish.analysisDate, leastDays(wish.horizonDays));
  const table = input.features();
  const set = trainingSet(table, requireEnough(table, day, wish), day, wish);
  const learnt = learn(await input.trainer(), learningTask(set, input, wish));
  const rate = baseRate(learnt.folds);
  const rows = rowsOfDay(table, day);
  const scored = featureMatrix(table, rows, wish.extraFeatures);
  const provenance = provenanceOf(input, lessonOf(set, scored, wish, day));
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
};

/**
 * Rows of the feature table to learn from.
 * @throws RunFailure when they are too few.
 */
export function requireEnough(
  table: FeatureTable,
  day: number,
  wish: Pick<LearningWish, 'horizonDays' | 'trainDays'>,
): Uint32Array {
  const rows = trainingRows(table, day, wish);
  const days = rows.length === 0 ? 0 : table.dayOf(rows.at(-1)!) - table.dayOf(rows[0]!) + 1;
  if (rows.length >= LEAST_ROWS && days >= leastTrainDays(wish.horizonDays)) return rows;
  throw new RunFailure(
    `Data untuk belajar terlalu sedikit: baru ${rows.length} contoh saham likuid dalam ${days} hari bursa, sedangkan model memerlukan ${LEAST_ROWS} contoh dalam ${leastTrainDays(wish.horizonDays)} hari.`,
  );
}

function learningTask(
  { matrix, outcomes, weights, days }: TrainingSet,
  { shouldStop }: ScreenInput,
  wish: LearningWish,
): LearningTask {
  return {
    matrix,
    classes: 2,
    labels: outcomes.won,
    weights,
    days,
    walkForward: walkForward(spannedDays(days), wish.horizonDays),
    parameters: boostingOf(wish),
    binning: BINNING,
    shouldStop,
  };
}

function lessonOf(
  { matrix, outcomes, weights, days }: TrainingSet,
  scored: FeatureMatrix,
  wish: LearningWish,
  day: number,
): Lesson {
  const boosting = boostingOf(wish);
  return {
    ...{ modelId: wish.modelId, version: wish.version, day, seed: boosting.seed, days },
    method: {
      barriers: [wish.targetGain, wish.stopLoss, wish.horizonDays],
      features: matrix.names,
      boosting,
      binning: BINNING,
      folds: walkForward(spannedDays(days), wish.horizonDays),
    },
    numbers: [matrix.values, outcomes.won, outcomes.netReturn, weights, scored.values],
  };
}

function rowsOfDay(table: FeatureTable, day: number): Uint32Array {
  const { from, to } = table.rowsOf(day);
  return Uint32Array.from({ length: to - from }, (_, i) => from + i);
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
  return Array.from(rows, (row, i) => stockOf(table, row, chances[i]!, baseRate));
}

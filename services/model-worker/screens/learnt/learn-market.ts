import type { FeatureTable } from '#quant/features/feature-table.ts';
import { learn } from '#quant/learning/walk-forward/learn.ts';
import type { LearningTask } from '#quant/learning/walk-forward/learning-task.ts';
import { modelQuality } from '#quant/model-quality/model-quality.ts';
import { RunFailure } from '../run-failure.ts';
import { score } from '../scoring/score.ts';
import { analysedDay } from '../analysed-day.ts';
import type { ScreenInput } from '../screen.ts';
import { describe } from './description.ts';
import { keptModel } from './kept-model.ts';
import { BINNING, boostingOf, leastDays, leastTrainDays, walkForward } from './learning-plan.ts';
import type { LearningWish, LearnMarket, LearntMarket, ScoredStock } from './learnt-market.ts';
import { pastForecasts } from './past-forecasts.ts';
import { provenanceOf } from './provenance.ts';
import { stockOf } from './scored-stock.ts';
import { featureMatrix, trainingRows, trainingSet, type TrainingSet } from './training-set.ts';
import { winRate } from './win-rate.ts';

/** Fewer rows make no model, only a memory of a few names. */
const LEAST_ROWS = 1_000;

/** Learns for a day and scores its names, through the same graph that is kept beside the result. */
export const learnMarket: LearnMarket = async (input, wish) => {
  const day = analysedDay(input.panel, wish.analysisDate, leastDays(wish.horizonDays));
  const table = input.features();
  const set = trainingSet(table, requireEnough(table, day, wish), day, wish);
  const learnt = learn(await input.trainer(), learningTask(set, input, wish));
  const baseRate = winRate(set, set.matrix.allRows);
  const provenance = provenanceOf(input, wish, set, day);
  const model = keptModel(learnt, provenance);
  const past = pastForecasts(table, set, learnt);
  const market: LearntMarket = {
    day,
    asOf: provenance.as_of,
    stocks: await scoredStocks(table, day, wish, model.onnx, baseRate),
    past,
    baseRate,
    model,
    description: describe(provenance, learnt, model, past, baseRate),
    quality: (passes) => modelQuality(past.filter(passes)),
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
    walkForward: walkForward(days.at(-1)! - days[0]! + 1, wish.horizonDays),
    parameters: boostingOf(wish),
    binning: BINNING,
    shouldStop,
  };
}

async function scoredStocks(
  table: FeatureTable,
  day: number,
  { extraFeatures }: LearningWish,
  onnx: Uint8Array,
  baseRate: number,
): Promise<ScoredStock[]> {
  const { from, to } = table.rowsOf(day);
  if (from === to) return [];
  const rows = Uint32Array.from({ length: to - from }, (_, i) => from + i);
  const chances = await score(onnx, featureMatrix(table, rows, extraFeatures));
  return Array.from(rows, (row, i) => stockOf(table, row, chances[i]!, baseRate));
}

import type { FeatureTable } from '#quant/features/feature-table.ts';
import { sampleWeights } from '#quant/labels/sample-weights.ts';
import { keptOutcomes } from '#quant/labels/kept-outcomes.ts';
import { type Outcomes, outcomesAt } from '#quant/labels/triple-barrier.ts';
import type { BoostingParameters } from '#quant/learning/boosting/trainer.ts';
import { FeatureMatrix } from '#quant/learning/feature-matrix.ts';
import { EMBARGO_DAYS } from '../inputs/history.ts';
import type { ExtraFeatures, LearningRequest } from './trained-market.ts';

/**
 * The parameters that a run trains with. Chosen while looking at the real market of 2021 to 2024, as were the features. Figures
 * of those years are therefore slightly too good, although no model was fitted to a day that it is judged by. AUC on unseen
 * days, 2022 to 2024: .563 with these values, .557 with four levels, .562 with six, .556 with 40 rounds of larger steps.
 */
export const BOOSTING: Readonly<BoostingParameters & { patience: number }> = {
  rounds: 60,
  learningRate: 0.07,
  depth: 5,
  lambda: 5,
  gamma: 0,
  minChildWeight: 100,
  subsample: 1,
  featureShare: 0.3,
  patience: 12,
  seed: 1,
};

/**
 * Interval of the days trained on. Outcomes of neighbouring days overlap by all but one day of the horizon, so the days
 * between would double the work. On 32 days of 2021 to 2023, rows two days apart did no worse than all rows with half of them
 * drawn for each tree (AUC .005 higher with a standard error of .004, log-loss of past forecasts .0014 lower with .0007). Rows
 * three days apart did worse (log-loss .0028 higher with .0012).
 */
export const DAYS_APART = 2;

/** Chosen in the same way: 64 bins separated outcomes on unseen days no better. */
export const BINNING = { bins: 32 };

/**
 * Number of early folds whose forecasts do not count and only calibrate later folds. The first fold chose the number of rounds,
 * and a calibration on it alone would describe one season of the market. Where the horizon is long beside a fold, the next
 * folds have no forecasts either, because the labels of the first reach into them.
 */
export const UNCOUNTED_FOLDS = 2;

/** The data that a model learns from, one entry per row, in order of days. */
export interface TrainingSet {
  /** Rows of the feature table. */
  rows: Uint32Array;
  matrix: FeatureMatrix;
  /** Calendar day of each row. */
  days: Uint16Array;
  outcomes: Outcomes;
  weights: Float64Array;
}

/**
 * Rows of the reference names on the last `trainDays` days whose outcome was known well before `day`. They do not depend on the
 * run's floors, so that the run can say what other floors would let through.
 */
export function trainingRows(
  table: FeatureTable,
  day: number,
  { horizonDays, trainDays }: Pick<LearningRequest, 'horizonDays' | 'trainDays'>,
): Uint32Array {
  const { columns, references } = table;
  const { dayStarts } = columns;
  const lastDay = day - horizonDays - EMBARGO_DAYS;
  const firstDay = Math.max(0, lastDay + 1 - trainDays);
  const rows = new Uint32Array(Math.max(0, dayStarts[lastDay + 1]! - dayStarts[firstDay]!));
  let count = 0;
  for (let row = dayStarts[firstDay]!; row < dayStarts[lastDay + 1]!; row++) {
    if (references[row] === 1) rows[count++] = row;
  }
  return rows.subarray(0, count);
}

/** Places of the rows of every `apart`-th day, counted back from the newest. */
export function placesOfDaysApart(days: Uint16Array, apart: number): Uint32Array {
  const newest = days.at(-1)!;
  const places = new Uint32Array(days.length);
  let count = 0;
  for (let i = 0; i < days.length; i++) if ((newest - days[i]!) % apart === 0) places[count++] = i;
  return places.subarray(0, count);
}

/**
 * Features, outcomes by `day` and weights of every {@link DAYS_APART}-th day of `known`. The weights are computed among all
 * rows of `known`: how many outcomes share a trading day does not depend on which rows are used.
 */
export function trainingSet(
  table: FeatureTable,
  known: Uint32Array,
  day: number,
  request: LearningRequest,
): TrainingSet {
  const days = table.daysOf(known);
  const outcomes = keptOutcomes(table, request).of(known, day);
  const spans = { ticker: entriesAt(table.columns.ticker, known), from: days, to: outcomes.exitDay };
  const weights = filledWeights(sampleWeights(spans), outcomes);
  const used = placesOfDaysApart(days, DAYS_APART);
  const rows = entriesAt(known, used);
  return {
    rows,
    matrix: featureMatrix(table, rows, request.extraFeatures),
    days: entriesAt(days, used),
    outcomes: outcomesAt(outcomes, used),
    weights: entriesAt(weights, used),
  };
}

/**
 * Chances describe positions that were opened, so rows of unfilled orders get weight 0. They stay among the rows, because the
 * picks of a past day must not depend on the next day.
 */
function filledWeights(weights: Float64Array, { filled }: Outcomes): Float64Array {
  for (let i = 0; i < weights.length; i++) weights[i]! *= filled[i]!;
  return weights;
}

/** The values at these places, which must not outnumber `values`. Takes a quarter of the time of `from` with a function. */
export function entriesAt<T extends Uint16Array | Uint32Array | Float64Array>(
  values: T,
  places: Uint32Array,
): T {
  const entries = values.slice(0, places.length) as T;
  for (let i = 0; i < places.length; i++) entries[i] = values[places[i]!]!;
  return entries;
}

/** The table's features, followed by those of the run. */
export function featureMatrix(table: FeatureTable, rows: Uint32Array, extra?: ExtraFeatures): FeatureMatrix {
  const { names } = table;
  const matrix = new FeatureMatrix([...names, ...(extra?.names ?? [])], rows.length);
  for (const feature of names.keys()) table.read(feature, rows, matrix.column(feature));
  extra?.read(
    rows,
    extra.names.map((_, i) => matrix.column(names.length + i)),
  );
  return matrix;
}

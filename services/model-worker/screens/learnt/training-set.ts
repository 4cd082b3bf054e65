import type { FeatureTable } from '#quant/features/feature-table.ts';
import { isReference } from '#quant/features/reference-names.ts';
import { sampleWeights } from '#quant/labels/sample-weights.ts';
import { type Outcomes, tripleBarrier } from '#quant/labels/triple-barrier.ts';
import { FeatureMatrix } from '#quant/learning/matrix/feature-matrix.ts';
import type { ExtraFeatures, LearningWish } from './learnt-market.ts';

/** Days left out between what is learnt from and the analysed day, beside the horizon: neighbours share features. */
export const EMBARGO_DAYS = 5;

/** What a model learns from, one entry a row, in order of days. */
export interface TrainingSet {
  /** Rows of the feature table. */
  rows: Uint32Array;
  matrix: FeatureMatrix;
  /** Calendar day of each. */
  days: Uint16Array;
  ticker: Uint16Array;
  panelRow: Uint32Array;
  outcomes: Outcomes;
  weights: Float64Array;
}

/**
 * Rows of the reference names of the last `trainDays` days whose outcome was known well before `day`; whatever floors
 * a run has, so that it can be told what others would let through.
 */
export function trainingRows(
  table: FeatureTable,
  day: number,
  { horizonDays, trainDays }: Pick<LearningWish, 'horizonDays' | 'trainDays'>,
): Uint32Array {
  const { dayStarts, averageValue, panelRow } = table.columns;
  const { close } = table.panel.columns;
  const lastDay = day - horizonDays - EMBARGO_DAYS;
  const firstDay = Math.max(0, lastDay + 1 - trainDays);
  const rows = new Uint32Array(Math.max(0, dayStarts[lastDay + 1]! - dayStarts[firstDay]!));
  let count = 0;
  for (let row = dayStarts[firstDay]!; row < dayStarts[lastDay + 1]!; row++) {
    if (isReference(close[panelRow[row]!]!, averageValue[row]!)) rows[count++] = row;
  }
  return rows.subarray(0, count);
}

/** Features, outcomes by `day` and weights of rows of the feature table. */
export function trainingSet(
  table: FeatureTable,
  rows: Uint32Array,
  day: number,
  wish: LearningWish,
): TrainingSet {
  const panelRow = rows.map((row) => table.columns.panelRow[row]!);
  const ticker = pick(table.columns.ticker, rows);
  const days = pick(table.panel.columns.day, panelRow);
  const outcomes = tripleBarrier(table.panel, { ticker, panelRow }, wish, day);
  return {
    rows,
    matrix: featureMatrix(table, rows, wish.extraFeatures),
    days,
    ticker,
    panelRow,
    outcomes,
    weights: sampleWeights({ ticker, from: days, to: outcomes.exitDay }),
  };
}

/** A quarter of the time of `Uint16Array.from` with a function. */
function pick(values: Uint16Array, at: Uint32Array): Uint16Array {
  const out = new Uint16Array(at.length);
  for (let i = 0; i < at.length; i++) out[i] = values[at[i]!]!;
  return out;
}

/** The table's features, then those of the run. */
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

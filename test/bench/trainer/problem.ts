import { noiseMatrix, plantedLabels } from '#quant/learning/boosting/planted-fixture.ts';
import { FeatureMatrix } from '#quant/learning/feature-matrix.ts';
import type { RowRange } from '#quant/panel/ranges.ts';
import { isReference, type FeatureTable } from '#quant/features/feature-table.ts';
import { tripleBarrier } from '#quant/labels/triple-barrier.ts';
import { featureMatrix } from '#models/learnt/training.ts';
import { derivedMarket } from '#models/inputs/market-in-memory.ts';
import { panelOf } from '../market/market-panel.ts';

/** The rows on which both trainers train, and later rows on which both are evaluated. */
export interface Problem {
  /** Shown in the report. */
  title: string;
  learnt: LabelledRows;
  heldOut: LabelledRows;
}

interface LabelledRows {
  matrix: FeatureMatrix;
  /** 0 or 1. */
  labels: Uint8Array;
}

/** About the number of rows of the exchange's liquid stocks in five years. */
const ROWS = 350_000;
const HELD_OUT_ROWS = 70_000;
const FEATURES = 30;
/** A signal as weak as that of prices: an AUC of about .64. */
const STRENGTH = 1;

export function generatedProblem(): Problem {
  const matrix = noiseMatrix(ROWS + HELD_OUT_ROWS, FEATURES, 1);
  const all = { matrix, labels: plantedLabels(matrix, STRENGTH, 2) };
  return {
    title: 'generated matrix',
    learnt: part(all, { from: 0, to: ROWS }),
    heldOut: part(all, { from: ROWS, to: matrix.rowCount }),
  };
}

function part({ matrix, labels }: LabelledRows, { from, to }: RowRange): LabelledRows {
  const rows = new FeatureMatrix(matrix.names, to - from);
  for (let feature = 0; feature < matrix.names.length; feature++)
    rows.column(feature).set(matrix.column(feature).subarray(from, to));
  return { matrix: rows, labels: labels.slice(from, to) };
}

const BARRIERS = { targetGain: 0.1, stopLoss: 0.05, horizonDays: 20 };
const HELD_OUT_SHARE = 0.2;

/**
 * The problem that the models learn: features of the liquid stocks on each day, and whether a gain of 10 % came before a loss
 * of 5 % within 20 days. The last fifth of the days is held out. No training day has an outcome that reaches into it.
 */
export async function marketProblem(dataset: string): Promise<Problem> {
  const table = derivedMarket(await panelOf(dataset)).features();
  const { dayStarts } = table.columns;
  const lastDay = table.panel.dayCount - 1 - BARRIERS.horizonDays;
  const firstDay = dayStarts.findIndex((rows) => rows > 0);
  const heldOutFrom = Math.round(lastDay - HELD_OUT_SHARE * (lastDay - firstDay));
  return {
    title: 'market',
    learnt: rowsOf(table, firstDay, heldOutFrom - BARRIERS.horizonDays),
    heldOut: rowsOf(table, heldOutFrom, lastDay + 1),
  };
}

/** Liquid stocks on the days from `from` (inclusive) to `to` (exclusive). */
function rowsOf(table: FeatureTable, from: number, to: number): LabelledRows {
  const { panel, columns } = table;
  const all = Array.from(
    { length: columns.dayStarts[to]! - columns.dayStarts[from]! },
    (_, i) => columns.dayStarts[from]! + i,
  );
  const rows = Uint32Array.from(
    all.filter((row) =>
      isReference(panel.columns.close[columns.panelRow[row]!]!, columns.averageValue[row]!),
    ),
  );
  const ticker = rows.map((row) => columns.ticker[row]!);
  const panelRow = rows.map((row) => columns.panelRow[row]!);
  const { won } = tripleBarrier(panel, { ticker, panelRow }, BARRIERS, panel.dayCount - 1);
  return { matrix: featureMatrix(table, rows), labels: won };
}

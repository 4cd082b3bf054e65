import type { FeatureMatrix } from '#quant/learning/feature-matrix.ts';
import { isReference, type FeatureTable } from '#quant/features/feature-table.ts';
import { tripleBarrier } from '#quant/labels/triple-barrier.ts';
import { featureMatrix } from '#models/trained/training.ts';
import { derivedMarket } from '#models/inputs/market-in-memory.ts';
import { panelOf } from '../market/market-panel.ts';

/** The rows on which both trainers train, and later rows on which both are evaluated. */
export interface Problem {
  trained: LabelledRows;
  heldOut: LabelledRows;
}

interface LabelledRows {
  matrix: FeatureMatrix;
  /** 0 or 1. */
  labels: Uint8Array;
}

const BARRIERS = { targetGain: 0.1, stopLoss: 0.05, horizonDays: 20 };
const HELD_OUT_SHARE = 0.2;

/**
 * The problem that the models learn: features of the liquid stocks on each day, and whether a gain of 10 % came before a loss
 * of 5 % within 20 days. The last fifth of the days is held out. No training day has an outcome that reaches into it.
 */
export async function marketProblem(dataset: string | undefined): Promise<Problem> {
  const table = derivedMarket(await panelOf(dataset)).features();
  const { dayStarts } = table.columns;
  const lastDay = table.panel.dayCount - 1 - BARRIERS.horizonDays;
  const firstDay = dayStarts.findIndex((rows) => rows > 0);
  const heldOutFrom = Math.round(lastDay - HELD_OUT_SHARE * (lastDay - firstDay));
  return {
    trained: rowsOf(table, firstDay, heldOutFrom - BARRIERS.horizonDays),
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

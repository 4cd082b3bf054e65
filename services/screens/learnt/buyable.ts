import type { FeatureTable } from '#quant/features/feature-table.ts';
import { closedAtUpperLimit } from '#quant/universe/candidates.ts';

/** Rows of the day's names that a reader can still buy. */
export function buyableRows(table: FeatureTable, day: number): Uint32Array {
  const { from, to } = table.rowsOf(day);
  return Uint32Array.from({ length: to - from }, (_, i) => from + i).filter((row) => isBuyable(table, row));
}

/** Whether a reader can still buy the name of a row of the feature table on the day after. */
export function isBuyable({ panel, columns }: FeatureTable, row: number): boolean {
  return !closedAtUpperLimit(panel, columns.panelRow[row]!);
}

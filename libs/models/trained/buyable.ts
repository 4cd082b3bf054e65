import type { FeatureTable } from '#quant/features/feature-table.ts';
import { closedAtUpperLimit } from '#quant/universe/candidates.ts';

/** Whether a reader can still buy the name of a row of the feature table on the next day. */
export function isBuyable({ panel, columns }: FeatureTable, row: number): boolean {
  return !closedAtUpperLimit(panel, columns.ticker[row]!, columns.panelRow[row]!);
}

/** Rows of the names of a day (calendar index) that a reader can still buy. */
export function buyableRows(table: FeatureTable, day: number): Uint32Array {
  return rowsOf(table, day).filter((row) => isBuyable(table, row));
}

/** Names of a day (calendar index) that could not be bought because they closed at their upper limit. */
export function unbuyableNames(table: FeatureTable, day: number): string[] {
  const { tickers } = table.panel.columns;
  const rows = rowsOf(table, day).filter((row) => !isBuyable(table, row));
  return Array.from(rows, (row) => tickers[table.columns.ticker[row]!]!);
}

function rowsOf(table: FeatureTable, day: number): Uint32Array {
  const { from, to } = table.rowsOf(day);
  return Uint32Array.from({ length: to - from }, (_, i) => from + i);
}

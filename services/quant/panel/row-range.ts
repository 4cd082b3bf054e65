/** Consecutive rows: `from` inclusive, `to` exclusive. */
export interface RowRange {
  from: number;
  to: number;
}

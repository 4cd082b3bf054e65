import type { Panel } from '../panel/panel.ts';

/** Panel rows of the days on which the ticker (index) traded, ascending. */
export function tradedRows(panel: Panel, ticker: number): Uint32Array {
  const { volume } = panel.columns;
  const start = panel.firstRow(ticker);
  const end = panel.endRow(ticker, panel.dayCount);
  const rows = new Uint32Array(end - start);
  let count = 0;
  for (let row = start; row < end; row++) if (volume[row]! > 0) rows[count++] = row;
  return rows.subarray(0, count);
}

import type { Panel } from '../panel/panel.ts';

/**
 * Closes of rows of one ticker, IDR in the terms of the ticker's first row: comparable with each other, and each made
 * of nothing later than its own row. (Prices in the terms of an as-of day differ from these by one constant factor,
 * which returns and comparisons with averages do not see.)
 */
export function causalCloses(panel: Panel, rows: Uint32Array): Float64Array {
  const { close, cum_factor } = panel.columns;
  const closes = new Float64Array(rows.length);
  for (let bar = 0; bar < rows.length; bar++) closes[bar] = close[rows[bar]!]! / cum_factor[rows[bar]!]!;
  return closes;
}

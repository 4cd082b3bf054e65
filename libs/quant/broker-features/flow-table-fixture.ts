import { FeatureTable } from '../features/feature-table.ts';
import type { Panel } from '../panel/panel.ts';

/** A feature table with a row for every traded bar, but no features. Stocks with an odd index are not reference names. */
export function flowTableOf(panel: Panel): FeatureTable {
  const { volume } = panel.columns;
  const dayStarts = new Uint32Array(panel.dayCount + 1);
  const [ticker, panelRow]: [number[], number[]] = [[], []];
  for (let day = 0; day < panel.dayCount; day++) {
    for (const [t, row] of panel.rowsOn(day).entries()) {
      if (row < 0 || volume[row] === 0) continue;
      ticker.push(t);
      panelRow.push(row);
    }
    dayStarts[day + 1] = ticker.length;
  }
  return new FeatureTable(panel, {
    stockFeatures: [],
    marketFeatures: [],
    dayStarts,
    ticker: Uint16Array.from(ticker),
    panelRow: Uint32Array.from(panelRow),
    averageValue: Float64Array.from(ticker, (t) => (t % 2 === 0 ? 5e9 : 5e8)),
    ranks: new Uint8Array(0),
    market: new Float32Array(0),
  });
}

import type { Panel } from '../panel/panel.ts';
import type { RegimeHistory } from '../regime/regime-history.ts';
import { DayRanks } from './day-ranks.ts';
import type { MarketFeature, StockFeature } from './definitions.ts';
import { FeatureTable } from './feature-table.ts';
import { MARKET_FEATURES } from './market-features.ts';
import { isReference } from './reference-names.ts';
import { StockBars } from './stock-bars.ts';
import { STOCK_FEATURES } from './stock-features.ts';
import { sortedByDay, stockRows, type StockRows, type TableRows } from './table-rows.ts';

export interface FeatureDefinitions {
  stock: readonly StockFeature[];
  market: readonly MarketFeature[];
}

export const ALL_FEATURES: FeatureDefinitions = { stock: STOCK_FEATURES, market: MARKET_FEATURES };

/**
 * Computes the features of every stock that could be dealt in, of every day. `history` is that of the panel. What is
 * said of a day is made of rows up to it alone.
 */
export function featureTable(
  panel: Panel,
  history: RegimeHistory,
  { stock, market }: FeatureDefinitions = ALL_FEATURES,
): FeatureTable {
  const stocks = stockRows(panel);
  const { rows, place } = sortedByDay(panel, stocks);
  const values = stockValues(panel, stocks, place.length, stock);
  return new FeatureTable(panel, {
    stockFeatures: stock.map(({ name }) => name),
    marketFeatures: market.map(({ name }) => name),
    ...rows,
    ranks: ranksOf(panel, rows, place, values),
    market: marketValues(panel, history, market),
  });
}

/** One column a feature, stock after stock: so they are written as they are computed, one value after the other. */
function stockValues(
  panel: Panel,
  stocks: readonly StockRows[],
  rowCount: number,
  features: readonly StockFeature[],
): Float32Array<ArrayBuffer>[] {
  const columns = features.map(() => new Float32Array(rowCount));
  let start = 0;
  for (const { ticker, traded, bar } of stocks) {
    const bars = new StockBars(panel, ticker, traded);
    for (const [feature, { of }] of features.entries()) {
      const [values, column] = [of(bars), columns[feature]!];
      for (let i = 0; i < bar.length; i++) column[start + i] = values[bar[i]!]!;
    }
    start += bar.length;
  }
  return columns;
}

function ranksOf(
  panel: Panel,
  { dayStarts, panelRow, averageValue }: TableRows,
  place: Uint32Array,
  columns: readonly Float32Array<ArrayBuffer>[],
): Uint8Array {
  const { close } = panel.columns;
  const isReferenceRow = new Uint8Array(place.length);
  for (let row = 0; row < place.length; row++) {
    isReferenceRow[row] = isReference(close[panelRow[row]!]!, averageValue[row]!) ? 1 : 0;
  }
  const dayRanks = new DayRanks(largestDay(dayStarts));
  const ranks = new Uint8Array(columns.length * place.length);
  for (const [feature, values] of columns.entries()) {
    const out = ranks.subarray(feature * place.length, (feature + 1) * place.length);
    const toRank = { bits: new Uint32Array(values.buffer), place, isReference: isReferenceRow };
    for (let day = 0; day < panel.dayCount; day++) {
      dayRanks.rank(dayStarts[day]!, dayStarts[day + 1]!, toRank, out);
    }
  }
  return ranks;
}

function largestDay(dayStarts: Uint32Array): number {
  let largest = 0;
  for (let day = 0; day + 1 < dayStarts.length; day++) {
    largest = Math.max(largest, dayStarts[day + 1]! - dayStarts[day]!);
  }
  return largest;
}

/** Cut off at -1 and 1; 0 where a feature is not defined. */
function marketValues(
  panel: Panel,
  history: RegimeHistory,
  features: readonly MarketFeature[],
): Float32Array {
  const out = new Float32Array(features.length * panel.dayCount);
  for (const [feature, { of }] of features.entries()) {
    const values = of(history);
    for (let day = 0; day < panel.dayCount; day++) {
      const value = values[day]!;
      out[feature * panel.dayCount + day] = Number.isNaN(value) ? 0 : Math.max(-1, Math.min(1, value));
    }
  }
  return out;
}

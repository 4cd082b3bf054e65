import { sharedColumn } from '../panel/panel-columns.ts';
import type { Panel } from '../panel/panel.ts';
import type { RegimeHistory } from '../regime/regime.ts';
import { tradedRows } from '../universe/liquidity.ts';
import { tradableRows } from '../universe/candidates.ts';
import { DayRanks } from './day-ranks.ts';
import {
  MARKET_FEATURES,
  STOCK_FEATURES,
  type MarketFeature,
  type StockFeature,
} from './feature-definitions.ts';
import { FeatureTable, isReference } from './feature-table.ts';
import { StockBars } from './stock-bars.ts';

export interface FeatureDefinitions {
  stock: readonly StockFeature[];
  market: readonly MarketFeature[];
}

export const ALL_FEATURES: FeatureDefinitions = { stock: STOCK_FEATURES, market: MARKET_FEATURES };

/**
 * Computes the features of every tradable stock on every day. `history` must belong to `panel`. The row of a day depends only
 * on panel rows up to that day.
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

/** One column for each feature, stock after stock, so that values are written in the order in which they are computed. */
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
  const ranks = sharedColumn(Uint8Array, columns.length * place.length);
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

/** Clamps values to -1 to 1; 0 where a feature is not defined. */
function marketValues(
  panel: Panel,
  history: RegimeHistory,
  features: readonly MarketFeature[],
): Float32Array {
  const out = sharedColumn(Float32Array, features.length * panel.dayCount);
  for (const [feature, { of }] of features.entries()) {
    const values = of(history);
    for (let day = 0; day < panel.dayCount; day++) {
      const value = values[day]!;
      out[feature * panel.dayCount + day] = Number.isNaN(value) ? 0 : Math.max(-1, Math.min(1, value));
    }
  }
  return out;
}

/** The lowest minimum price and minimum average daily value that any model accepts, IDR. */
const MIN_CLOSE_IDR = 50;
const MIN_AVERAGE_VALUE_IDR = 100_000_000;

/** The days of a ticker that are in the table, ascending. */
interface StockRows {
  ticker: number;
  /** Panel rows of all its traded bars. */
  traded: Uint32Array;
  /** For each day: index into `traded`. */
  bar: Uint32Array;
  /** For each day: mean traded value of the last 20 exchange days, IDR. */
  averageValue: Float64Array;
}

/** The rows of the table, sorted by day, as in FeatureColumns. */
interface TableRows {
  dayStarts: Uint32Array;
  ticker: Uint16Array;
  panelRow: Uint32Array;
  averageValue: Float64Array;
}

/** Every stock that is tradable at the lowest minimums, ascending by ticker. */
function stockRows(panel: Panel): StockRows[] {
  const stocks: StockRows[] = [];
  for (let ticker = 0; ticker < panel.tickerCount; ticker++) {
    const stock = aboveFloors(panel, ticker);
    if (stock.bar.length > 0) stocks.push(stock);
  }
  return stocks;
}

function aboveFloors(panel: Panel, ticker: number): StockRows {
  const { close } = panel.columns;
  const traded = tradedRows(panel, ticker);
  const { bar, averageValue } = tradableRows(panel, ticker, traded);
  let count = 0;
  for (let i = 0; i < bar.length; i++) {
    if (close[traded[bar[i]!]!]! < MIN_CLOSE_IDR || averageValue[i]! < MIN_AVERAGE_VALUE_IDR) continue;
    bar[count] = bar[i]!;
    averageValue[count++] = averageValue[i]!;
  }
  return { ticker, traded, bar: bar.slice(0, count), averageValue: averageValue.slice(0, count) };
}

/**
 * Sorts the rows of all stocks by day, and by stock within a day. `place` gives for each row its index when the stocks are
 * taken one after the other.
 */
function sortedByDay(panel: Panel, stocks: readonly StockRows[]): { rows: TableRows; place: Uint32Array } {
  const { day } = panel.columns;
  const dayStarts = startsOfDays(panel, stocks);
  const next = Uint32Array.from(dayStarts);
  const rowCount = dayStarts[panel.dayCount]!;
  const place = new Uint32Array(rowCount);
  const ticker = sharedColumn(Uint16Array, rowCount);
  const panelRow = sharedColumn(Uint32Array, rowCount);
  const averageValue = sharedColumn(Float64Array, rowCount);
  let placed = 0;
  for (const stock of stocks) {
    for (let i = 0; i < stock.bar.length; i++) {
      const source = stock.traded[stock.bar[i]!]!;
      const row = next[day[source]!]!++;
      place[row] = placed++;
      ticker[row] = stock.ticker;
      panelRow[row] = source;
      averageValue[row] = stock.averageValue[i]!;
    }
  }
  return { rows: { dayStarts, ticker, panelRow, averageValue }, place };
}

function startsOfDays(panel: Panel, stocks: readonly StockRows[]): Uint32Array {
  const { day } = panel.columns;
  const starts = sharedColumn(Uint32Array, panel.dayCount + 1);
  for (const { traded, bar } of stocks) {
    for (let i = 0; i < bar.length; i++) starts[day[traded[bar[i]!]!]! + 1]!++;
  }
  for (let d = 0; d < panel.dayCount; d++) starts[d + 1]! += starts[d]!;
  return starts;
}

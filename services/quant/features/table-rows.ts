import type { Panel } from '../panel/panel.ts';
import { tradedRows } from '../regime/traded-rows.ts';
import { tradableRows } from '../universe/tradable-rows.ts';

/** The lowest floors of price and average daily value that any model can be given, IDR. */
const LEAST_CLOSE_IDR = 50;
const LEAST_AVERAGE_VALUE_IDR = 100_000_000;

/** The days of a ticker that stand in the table, ascending. */
export interface StockRows {
  ticker: number;
  /** Panel rows of all its traded bars. */
  traded: Uint32Array;
  /** Of each day: index into `traded`. */
  bar: Uint32Array;
  /** Of each day: mean traded value of the last 20 exchange days, IDR. */
  averageValue: Float64Array;
}

/** The rows of the table, as FeatureColumns has them: those of all stocks, sorted by day. */
export interface TableRows {
  dayStarts: Uint32Array;
  ticker: Uint16Array;
  panelRow: Uint32Array;
  averageValue: Float64Array;
}

/** Every stock that could be dealt in at the lowest floors, ascending by ticker. */
export function stockRows(panel: Panel): StockRows[] {
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
    if (close[traded[bar[i]!]!]! < LEAST_CLOSE_IDR || averageValue[i]! < LEAST_AVERAGE_VALUE_IDR) continue;
    bar[count] = bar[i]!;
    averageValue[count++] = averageValue[i]!;
  }
  return { ticker, traded, bar: bar.slice(0, count), averageValue: averageValue.slice(0, count) };
}

/**
 * The rows of all stocks day by day, and in the order of the stocks within a day. `place` tells of each row where it
 * stands when the stocks are taken one after the other.
 */
export function sortedByDay(
  panel: Panel,
  stocks: readonly StockRows[],
): { rows: TableRows; place: Uint32Array } {
  const { day } = panel.columns;
  const dayStarts = startsOfDays(panel, stocks);
  const next = dayStarts.slice();
  const rowCount = dayStarts[panel.dayCount]!;
  const place = new Uint32Array(rowCount);
  const ticker = new Uint16Array(rowCount);
  const panelRow = new Uint32Array(rowCount);
  const averageValue = new Float64Array(rowCount);
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
  const starts = new Uint32Array(panel.dayCount + 1);
  for (const { traded, bar } of stocks) {
    for (let i = 0; i < bar.length; i++) starts[day[traded[bar[i]!]!]! + 1]!++;
  }
  for (let d = 0; d < panel.dayCount; d++) starts[d + 1]! += starts[d]!;
  return starts;
}

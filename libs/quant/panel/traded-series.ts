import type { Panel } from './panel.ts';
import type { RowRange } from './ranges.ts';
import { unknownBars } from './unknown-shares.ts';

/**
 * The traded bars of one ticker up to an as-of day, ascending. All arrays have the same length. Prices are IDR and volumes
 * shares, both adjusted to the as-of day; values are IDR.
 */
export interface TradedSeries {
  /** Panel row of each bar. */
  row: Uint32Array;
  /** Calendar index of each bar. */
  day: Uint16Array;
  open: Float64Array;
  high: Float64Array;
  low: Float64Array;
  close: Float64Array;
  volume: Float64Array;
  value: Float64Array;
  /** Bars on which it was not known how many shares there are. */
  unknown: readonly RowRange[];
}

/**
 * Bars of `ticker` (index) with volume > 0, up to and including `asOfDay` (calendar index).
 *
 * Days without a trade are left out here, and therefore in every indicator. Their carried-over prices would add zero-range
 * bars that shrink ATR and volatility, pull RSI towards the middle and fake Bollinger squeezes. "20 bars" therefore means 20
 * traded days. Corporate actions on skipped days still count, because the scale runs over all rows. Windows of money (average
 * value, net flows) count exchange days instead.
 *
 * Rows after `asOfDay` do not change a byte of the result. `lastBars` limits the result to that many of the newest bars.
 */
export function tradedSeries(
  panel: Panel,
  ticker: number,
  asOfDay: number,
  lastBars = Infinity,
): TradedSeries {
  const { columns } = panel;
  const traded = tradedRows(columns.volume, panel.firstRow(ticker), panel.endRow(ticker, asOfDay));
  const row = traded.slice(Math.max(0, traded.length - lastBars));
  const asOfRow = panel.lastRow(ticker, asOfDay);
  const series = { ...emptySeries(row), unknown: unknownBars(panel, ticker, row) };
  for (let bar = 0; bar < row.length; bar++) {
    const r = row[bar]!;
    const scale = panel.priceScale(r, asOfRow);
    series.day[bar] = columns.day[r]!;
    series.open[bar] = columns.open[r]! * scale;
    series.high[bar] = columns.high[r]! * scale;
    series.low[bar] = columns.low[r]! * scale;
    series.close[bar] = columns.close[r]! * scale;
    series.volume[bar] = columns.volume[r]! * panel.shareScale(r, asOfRow);
    series.value[bar] = columns.value[r]!;
  }
  return series;
}

function emptySeries(row: Uint32Array): Omit<TradedSeries, 'unknown'> {
  const { length } = row;
  return {
    row,
    day: new Uint16Array(length),
    open: new Float64Array(length),
    high: new Float64Array(length),
    low: new Float64Array(length),
    close: new Float64Array(length),
    volume: new Float64Array(length),
    value: new Float64Array(length),
  };
}

function tradedRows(volume: Float64Array, start: number, end: number): Uint32Array {
  const rows = new Uint32Array(end - start);
  let count = 0;
  for (let row = start; row < end; row++) if (volume[row]! > 0) rows[count++] = row;
  return rows.subarray(0, count);
}

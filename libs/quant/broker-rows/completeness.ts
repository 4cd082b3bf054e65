import type { Panel } from '../panel/panel.ts';
import type { RowRange } from '../panel/ranges.ts';
import { GROSS_ROWS, type BrokerFlow, type Market, type StockSpan } from './broker-flow.ts';
import { numberAt, type PackedColumn } from './packed-column.ts';

/** How complete the rows of a stock-day are. */
interface DayCompleteness {
  /** Whether only the difference of each broker's sides is known. */
  isNet: boolean;
  /** Shares bought in the rows / shares the exchange published. Null for net rows, and when the exchange published none. */
  coverage: number | null;
  /** Whether rows are missing or there are too many. */
  isPartial: boolean;
}

/** On the real market nine days in ten agree to the share. With a larger difference, rows are missing or superfluous. */
export const VOLUME_TOLERANCE = 0.01;
/** IDR by which vendors round what a broker bought or sold. */
export const ROUNDING_OF_A_SIDE = 1;

/**
 * Completeness of a stock's rows on a day (calendar index); null when there are none. Purchases equal sales, so rows whose
 * sides differ are partial. The sides may differ in value by the vendors' rounding for each side that has shares. Gross rows
 * must also add up to the volume of the stock's bar, and net rows must not exceed it: rows are partial while no source says it. A row
 * is never stored without a bar.
 */
export function dayCompleteness(
  panel: Panel,
  flow: BrokerFlow,
  market: Market,
  ticker: number,
  day: number,
): DayCompleteness | null {
  const rows = flow.rows(market, ticker, day);
  if (rows.from === rows.to) return null;
  const { buy_shares, sell_shares, buy_value, sell_value } = flow.columns;
  const bought = sumOf(buy_shares, rows);
  const isBalanced =
    bought === sumOf(sell_shares, rows) &&
    Math.abs(sumOf(buy_value, rows) - sumOf(sell_value, rows)) <=
      ROUNDING_OF_A_SIDE * (countOf(buy_shares, rows) + countOf(sell_shares, rows));
  const published = publishedShares(panel, market)[panel.rowAt(ticker, day)]!;
  if (flow.isNet(market, ticker, day)) {
    return { isNet: true, coverage: null, isPartial: !isBalanced || !(bought <= published) };
  }
  return {
    isNet: false,
    coverage: published > 0 ? bought / published : null,
    isPartial: !isBalanced || !agreesWithVolume(bought, published),
  };
}

/** Whether shares bought in gross rows agree with the volume that the exchange published, within {@link VOLUME_TOLERANCE}. */
export function agreesWithVolume(bought: number, published: number): boolean {
  return Math.abs(bought - published) <= VOLUME_TOLERANCE * published;
}

/** Whether there are gross rows for every day of the span on which the exchange published a volume. */
export function hasGrossRowsThroughout(panel: Panel, flow: BrokerFlow, span: StockSpan): boolean {
  const { market, ticker, firstDay, lastDay } = span;
  const published = publishedShares(panel, market);
  for (let row = panel.lastRow(ticker, lastDay); row >= panel.firstRow(ticker); row--) {
    const day = panel.columns.day[row]!;
    if (day < firstDay) break;
    if (published[row] === 0) continue;
    if (!flow.holds(day) || flow.columns.mode[flow.group(market, ticker, day)] !== GROSS_ROWS) return false;
  }
  return true;
}

/** The days of the span (calendar indices) that have rows. */
export function daysWithRows(flow: BrokerFlow, { market, ticker, firstDay, lastDay }: StockSpan): number[] {
  const days: number[] = [];
  for (let day = firstDay; day <= lastDay; day++) {
    const { from, to } = flow.rows(market, ticker, day);
    if (from < to) days.push(day);
  }
  return days;
}

function publishedShares(panel: Panel, market: Market): Float64Array {
  return market === 'REG' ? panel.columns.volume : panel.columns.nego_volume;
}

function sumOf(column: PackedColumn, { from, to }: RowRange): number {
  let sum = 0;
  for (let row = from; row < to; row++) sum += numberAt(column, row);
  return sum;
}

function countOf(shares: PackedColumn, { from, to }: RowRange): number {
  let count = 0;
  for (let row = from; row < to; row++) if (numberAt(shares, row) > 0) count++;
  return count;
}

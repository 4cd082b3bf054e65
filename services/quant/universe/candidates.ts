import type { Panel } from '../panel/panel.ts';
import { averageDailyValue } from '../snapshot/money-windows.ts';
import { looksLikeSpecialBoard } from './special-board.ts';

/** Trading days of data a model needs before the first day it can analyse. */
export const MIN_BARS = 120;
export const RECENT_DAYS = 20;
export const MIN_RECENT_TRADED = 18;

/** A stock that a model may pick. */
export interface Candidate {
  ticker: number;
  code: string;
  /** Of the analysed day, IDR. */
  close: number;
  /** Mean over the last 20 exchange days, IDR. */
  averageValue: number;
}

/**
 * Every stock that could be dealt in on `day` (calendar index): it traded on that day and on at least 18 of the
 * last 20, has at least 120 traded bars, and does not look like one of the special boards. Floors of price and
 * value are the caller's. For every day of a market at once there is `tradableRows` (tradable-rows.ts), which must say
 * the same.
 */
export function candidates(panel: Panel, day: number): Candidate[] {
  const found: Candidate[] = [];
  for (let ticker = 0; ticker < panel.tickerCount; ticker++) {
    const candidate = candidateOf(panel, ticker, day);
    if (candidate) found.push(candidate);
  }
  return found;
}

function candidateOf(panel: Panel, ticker: number, day: number): Candidate | undefined {
  const { volume, close } = panel.columns;
  const row = panel.rowAt(ticker, day);
  if (row < 0 || volume[row] === 0) return undefined;
  const recent = recentTradedRows(panel, ticker, day);
  if (recent.length < MIN_RECENT_TRADED || !hasEnoughBars(panel, ticker, row)) return undefined;
  const averageValue = averageDailyValue(panel, ticker, day, RECENT_DAYS);
  if (averageValue === null || looksLikeSpecialBoard(panel, recent)) return undefined;
  return { ticker, code: panel.columns.tickers[ticker]!, close: close[row]!, averageValue };
}

function recentTradedRows(panel: Panel, ticker: number, day: number): number[] {
  const { volume } = panel.columns;
  const rows: number[] = [];
  for (let row = panel.endRow(ticker, day - RECENT_DAYS); row < panel.endRow(ticker, day); row++) {
    if (volume[row]! > 0) rows.push(row);
  }
  return rows;
}

function hasEnoughBars(panel: Panel, ticker: number, lastRow: number): boolean {
  const { volume } = panel.columns;
  let traded = 0;
  for (let row = lastRow; row >= panel.firstRow(ticker); row--) {
    if (volume[row]! > 0 && ++traded >= MIN_BARS) return true;
  }
  return false;
}

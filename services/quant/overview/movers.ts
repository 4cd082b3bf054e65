import type { Panel } from '../panel/panel.ts';
import type { DayStock } from './market-day.ts';

/** A stock that moved. */
export interface Mover {
  ticker: string;
  /** IDR, as traded. */
  close: number;
  /** Against the reference price of the day, percent. */
  changePct: number;
  /** Traded on the day, IDR. */
  value: number;
}

/**
 * Up to `count` liquid stocks that rose (`sign` 1) or fell (-1) most in percent, the furthest first; equal ones by
 * traded value, then by ticker, so that the order never depends on chance.
 */
export function movers(panel: Panel, stocks: readonly DayStock[], sign: 1 | -1, count: number): Mover[] {
  const { tickers, close, value } = panel.columns;
  return stocks
    .filter(({ isLiquid, changePct }) => isLiquid && changePct !== null && changePct * sign > 0)
    .map(({ ticker, row, changePct }) => ({
      ticker: tickers[ticker]!,
      close: close[row]!,
      changePct: changePct!,
      value: value[row]!,
    }))
    .toSorted(
      (a, b) => sign * (b.changePct - a.changePct) || b.value - a.value || (a.ticker < b.ticker ? -1 : 1),
    )
    .slice(0, count);
}

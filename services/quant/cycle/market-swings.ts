import type { Panel } from '../panel/panel.ts';
import { cycleBars, type CycleBars } from './cycle-bars.ts';
import { swingPivots, type SwingPivots } from './swing-pivots.ts';

/** What the cycles of one stock are read from, bar by bar. */
export interface StockCycles {
  bars: CycleBars;
  pivots: SwingPivots;
}

/** Bars and pivots of every stock up to `lastDay` (calendar index), each worked out in O(bars) when first asked for. */
export class MarketSwings {
  readonly panel: Panel;
  readonly lastDay: number;
  /** Bars on either side of a pivot. */
  readonly pivotWindow: number;
  readonly #stocks: (StockCycles | undefined)[];

  constructor(panel: Panel, lastDay: number, pivotWindow: number) {
    this.panel = panel;
    this.lastDay = lastDay;
    this.pivotWindow = pivotWindow;
    this.#stocks = Array.from({ length: panel.tickerCount }, () => undefined);
  }

  /** Of a ticker (index). */
  of(ticker: number): StockCycles {
    return (this.#stocks[ticker] ??= this.#make(ticker));
  }

  #make(ticker: number): StockCycles {
    const bars = cycleBars(this.panel, ticker, this.lastDay);
    return { bars, pivots: swingPivots(bars, this.pivotWindow) };
  }
}

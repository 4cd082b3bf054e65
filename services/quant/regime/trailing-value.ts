import type { Panel } from '../panel/panel.ts';
import { LIQUID_OVER_DAYS } from './liquidity.ts';

/**
 * Average daily value of a ticker over the last 20 exchange days, for days asked for in ascending order: what
 * averageDailyValue says of one day, for all days in one pass.
 */
export class TrailingValue {
  readonly #panel: Panel;
  readonly #firstDay: number;
  readonly #endRow: number;
  #oldest: number;
  #next: number;
  #sum = 0;

  constructor(panel: Panel, ticker: number) {
    this.#panel = panel;
    this.#oldest = this.#next = panel.firstRow(ticker);
    this.#endRow = panel.endRow(ticker, panel.dayCount);
    this.#firstDay = panel.columns.day[this.#next]!;
  }

  /** IDR; -1 before the ticker has been listed for 20 days. Sums of whole rupiah are exact below 2^53. */
  upTo(asOfDay: number): number {
    const { day, value } = this.#panel.columns;
    while (this.#next < this.#endRow && day[this.#next]! <= asOfDay) this.#sum += value[this.#next++]!;
    while (this.#oldest < this.#next && day[this.#oldest]! <= asOfDay - LIQUID_OVER_DAYS) {
      this.#sum -= value[this.#oldest++]!;
    }
    return this.#firstDay <= asOfDay - LIQUID_OVER_DAYS + 1 ? this.#sum / LIQUID_OVER_DAYS : -1;
  }
}

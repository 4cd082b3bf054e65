import type { Panel } from '../panel/panel.ts';

/** Average daily value, in IDR, from which a stock is liquid. */
export const LIQUID_VALUE_IDR = 1_000_000_000;
/** Exchange days over which that average runs, days without a trade included. */
export const LIQUID_OVER_DAYS = 20;

/**
 * Average daily value of a ticker over the last 20 exchange days, for days requested in ascending order. Equals
 * averageDailyValue, but covers all days in one pass.
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

  /** Average in IDR; -1 until the ticker has been listed for 20 days. Sums of whole rupiah are exact below 2^53. */
  upTo(asOfDay: number): number {
    const { day, value } = this.#panel.columns;
    while (this.#next < this.#endRow && day[this.#next]! <= asOfDay) this.#sum += value[this.#next++]!;
    while (this.#oldest < this.#next && day[this.#oldest]! <= asOfDay - LIQUID_OVER_DAYS) {
      this.#sum -= value[this.#oldest++]!;
    }
    return this.#firstDay <= asOfDay - LIQUID_OVER_DAYS + 1 ? this.#sum / LIQUID_OVER_DAYS : -1;
  }
}

/** Panel rows of the days on which the ticker (index) traded, ascending. */
export function tradedRows(panel: Panel, ticker: number): Uint32Array {
  const { volume } = panel.columns;
  const start = panel.firstRow(ticker);
  const end = panel.endRow(ticker, panel.dayCount);
  const rows = new Uint32Array(end - start);
  let count = 0;
  for (let row = start; row < end; row++) if (volume[row]! > 0) rows[count++] = row;
  return rows.subarray(0, count);
}

/** Minimum values that a stock must have for a run to consider it. */
export interface Floors {
  /** Minimum close, IDR. */
  min_price: number;
  /** Minimum mean traded value of the last 20 exchange days, IDR. */
  min_daily_val: number;
}

export function isAboveFloors(
  { close, averageValue }: { close: number; averageValue: number },
  { min_price, min_daily_val }: Floors,
): boolean {
  return close >= min_price && averageValue >= min_daily_val;
}

import type { BrokerDays } from '../broker-days/broker-days.ts';
import { MEASURE_COUNT } from '../broker-days/measures.ts';
import type { Panel } from '../panel/panel.ts';
import { MoneyMoves } from './money-moves.ts';

/**
 * Consecutive calendar days of one stock: its measures, where they are known, and its panel rows. Days are counted from
 * the first that was loaded. Memory is taken once, for the longest span, and serves one stock after the other.
 */
export class StockDays {
  readonly #brokerDays: BrokerDays;
  /** {@link MEASURES} of a day side by side. */
  readonly values: Float32Array;
  /** 1 where the measures of a day are known. */
  readonly isKnown: Uint8Array;
  /** Panel row of a day, -1 without a bar. */
  readonly row: Int32Array;
  /** Close in the terms of the stock's first row, carried over days without a bar; NaN before the first. */
  readonly close: Float64Array;
  readonly #moves: MoneyMoves;
  #areMovesRead = false;
  ticker = -1;
  /** Calendar index of the first day. */
  firstDay = 0;
  dayCount = 0;

  constructor(brokerDays: BrokerDays, longestDays: number) {
    this.#brokerDays = brokerDays;
    this.values = new Float32Array(longestDays * MEASURE_COUNT);
    this.isKnown = new Uint8Array(longestDays);
    this.row = new Int32Array(longestDays);
    this.close = new Float64Array(longestDays);
    this.#moves = new MoneyMoves(longestDays);
  }

  get panel(): Panel {
    return this.#brokerDays.panel;
  }

  /** Worked out when a stock's are first asked for. */
  get moves(): MoneyMoves {
    if (!this.#areMovesRead) this.#moves.read(this);
    this.#areMovesRead = true;
    return this.#moves;
  }

  /** Turns to a stock (index) and to the days between two calendar indices, both included. */
  load(ticker: number, firstDay: number, lastDay: number): void {
    const { day: dayOf, close, cum_factor } = this.panel.columns;
    this.#areMovesRead = false;
    this.ticker = ticker;
    this.firstDay = firstDay;
    this.dayCount = lastDay + 1 - firstDay;
    let row = this.panel.endRow(ticker, firstDay - 1) - 1;
    const [start, end] = [this.panel.firstRow(ticker), this.panel.endRow(ticker, lastDay)];
    for (let at = 0; at < this.dayCount; at++) {
      const hasBar = row + 1 < end && dayOf[row + 1] === firstDay + at;
      if (hasBar) row++;
      this.row[at] = hasBar ? row : -1;
      this.close[at] = row >= start ? close[row]! / cum_factor[row]! : NaN;
      this.isKnown[at] = Number(
        this.#brokerDays.read(ticker, firstDay + at, this.values, at * MEASURE_COUNT),
      );
    }
  }

  /** Of a day whose measures are known; `measure` by its place. */
  value(measure: number, at: number): number {
    return this.values[at * MEASURE_COUNT + measure]!;
  }
}

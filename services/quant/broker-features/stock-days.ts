import type { BrokerDays } from '../broker-measures/broker-days.ts';
import { MEASURE_COUNT, AT } from '../broker-measures/measures.ts';
import type { Panel } from '../panel/panel.ts';
import { foreignNetValue } from '../panel/windows.ts';

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

/** Both numbers of a day look back so many exchange days. */
const MOVE_DAYS = 5;

/**
 * Of each day of a stock: what local institutions, by their broker rows, and foreign investors, by the exchange's own
 * figures, bought net in five days, IDR, and how the price moved in them. NaN when a day on which the stock traded is
 * not known, and where the days before are not there.
 */
class MoneyMoves {
  readonly bought: Float64Array;
  readonly returns: Float64Array;
  readonly #ofDay: Float64Array;

  constructor(longestDays: number) {
    this.bought = new Float64Array(longestDays);
    this.returns = new Float64Array(longestDays);
    this.#ofDay = new Float64Array(longestDays);
  }

  read(stock: StockDays): void {
    const { close, dayCount } = stock;
    for (let at = 0; at < dayCount; at++) this.#ofDay[at] = boughtOn(stock, at);
    this.bought.fill(NaN, 0, MOVE_DAYS);
    this.returns.fill(NaN, 0, MOVE_DAYS);
    for (let at = MOVE_DAYS; at < dayCount; at++) {
      let sum = 0;
      for (let day = at + 1 - MOVE_DAYS; day <= at; day++) sum += this.#ofDay[day]!;
      this.bought[at] = sum;
      this.returns[at] = close[at]! / close[at - MOVE_DAYS]! - 1;
    }
  }
}

function boughtOn(stock: StockDays, at: number): number {
  const row = stock.row[at]!;
  if (row < 0 || stock.panel.columns.volume[row] === 0) return 0;
  if (stock.isKnown[at] === 0) return NaN;
  return foreignNetValue(stock.panel, row) + stock.value(AT.bandar_net, at) * stock.value(AT.turnover, at);
}

import { AT } from '../broker-days/measures.ts';
import { foreignNetValue } from '../snapshot/money-windows.ts';
import type { StockDays } from './stock-days.ts';

/** Both numbers of a day look back so many exchange days. */
export const MOVE_DAYS = 5;

/**
 * Of each day of a stock: what local institutions, by their broker rows, and foreign investors, by the exchange's own
 * figures, bought net in five days, IDR, and how the price moved in them. NaN when a day on which the stock traded is
 * not known, and where the days before are not there.
 */
export class MoneyMoves {
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

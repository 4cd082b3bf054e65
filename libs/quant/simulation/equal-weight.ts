import { BUY_FEE, SELL_FEE, stampDuty } from '../exchange/fees.ts';
import type { Picks } from './picks.ts';
import type { SimulatedMarket } from './simulated-market.ts';

/**
 * The equity of somebody who holds all candidates in equal parts, at the end of each day of the span; IDR. After each day of the
 * picks, at the close of the next day, all that trade are brought to equal parts again, for the same fees, tax and stamp duty. Shares
 * are fractional, and any volume is traded: nobody can do as well with little money, or with much.
 *
 * @param isCandidate for each of these days and each stock
 */
export function equalWeightEquity(
  market: SimulatedMarket,
  { days }: Pick<Picks, 'days'>,
  isCandidate: Uint8Array,
  capitalIdr: number,
): Float64Array {
  const { firstDay, lastDay } = market.span;
  const parts = new Parts(market, capitalIdr);
  const equity = new Float64Array(market.dayCount);
  for (let day = firstDay, pickDay = 0; day <= lastDay; day++) {
    if (day > firstDay) parts.moveTo(day);
    if (pickDay < days.length && days[pickDay]! + 1 === day) {
      parts.equalise(day, isCandidate.subarray(pickDay * market.stocks, (pickDay + 1) * market.stocks));
      pickDay++;
    }
    equity[day - firstDay] = parts.total;
  }
  return equity;
}

/** The money in each stock. */
class Parts {
  readonly #market: SimulatedMarket;
  readonly #value: Float64Array;
  /** By what a corporate action of the present day multiplies prices before it. */
  readonly #scale: Float64Array;
  #cash: number;

  constructor(market: SimulatedMarket, capitalIdr: number) {
    this.#market = market;
    this.#value = new Float64Array(market.stocks);
    this.#scale = new Float64Array(market.stocks).fill(1);
    this.#cash = capitalIdr;
  }

  get total(): number {
    let total = this.#cash;
    for (let stock = 0; stock < this.#value.length; stock++) total += this.#value[stock]!;
    return total;
  }

  /** From the close of the day before to that of a day. */
  moveTo(day: number): void {
    const { panel } = this.#market;
    const [value, scale] = [this.#value, this.#scale];
    const restated = this.#market.restatedOn(day);
    for (const stock of restated) {
      const row = this.#market.rowOn(day, stock);
      scale[stock] = panel.priceScale(row - 1, row);
    }
    const [before, now] = [this.#market.closesOn(day - 1), this.#market.closesOn(day)];
    for (let stock = 0; stock < value.length; stock++)
      if (value[stock] !== 0) value[stock]! *= now[stock]! / (before[stock]! * scale[stock]!);
    for (const stock of restated) scale[stock] = 1;
  }

  equalise(day: number, isWanted: Uint8Array): void {
    const { volume } = this.#market.panel.columns;
    const trading: number[] = [];
    for (let stock = 0; stock < isWanted.length; stock++) {
      const row = this.#market.rowOn(day, stock);
      if (row >= 0 && volume[row]! > 0) trading.push(stock);
    }
    const wanted: number[] = [];
    let [free, bought, sold] = [this.#cash, 0, 0];
    for (const stock of trading) {
      free += this.#value[stock]!;
      if (isWanted[stock] === 1) wanted.push(stock);
    }
    const part = wanted.length === 0 ? 0 : free / wanted.length;
    for (const stock of trading) {
      const target = isWanted[stock] === 1 ? part : 0;
      const change = target - this.#value[stock]!;
      if (change > 0) bought += change;
      else sold -= change;
      this.#value[stock] = target;
    }
    const costs = bought * BUY_FEE + sold * SELL_FEE + stampDuty(bought + sold, this.#market.dateOf(day));
    this.#cash = wanted.length === 0 ? free - costs : 0;
    // Every part pays its share, so that nothing is owed.
    for (const stock of wanted) this.#value[stock]! -= costs / wanted.length;
  }
}

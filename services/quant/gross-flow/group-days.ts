import { AT } from '../broker-days/measures.ts';
import { GROUP_MEASURES, type BrokerGroup, type GroupMeasures } from './broker-group.ts';
import type { StockDays } from './stock-days.ts';

/** What a group of brokers did in a stock, day by day; what is said of a day that is not known means nothing. */
export class GroupDays {
  readonly #measures: GroupMeasures;
  /** Bought less sold / turnover. */
  readonly net: Float64Array;
  /** What its net buyers of the day bought, IDR, and how many shares, in the terms of the stock's first row. */
  readonly paid: Float64Array;
  readonly shares: Float64Array;

  constructor(group: BrokerGroup, longestDays: number) {
    this.#measures = GROUP_MEASURES[group];
    this.net = new Float64Array(longestDays);
    this.paid = new Float64Array(longestDays);
    this.shares = new Float64Array(longestDays);
  }

  read(stock: StockDays): void {
    const { nets, entries } = this.#measures;
    const { cum_factor } = stock.panel.columns;
    for (let at = 0; at < stock.dayCount; at++) {
      if (stock.isKnown[at] === 0) continue;
      this.net[at] = 0;
      for (const measure of nets) this.net[at]! += stock.value(measure, at);
      let [paid, shares] = [0, 0];
      for (const { entry, price } of entries) {
        const amount = stock.value(AT.turnover, at) * stock.value(entry, at);
        paid += amount;
        if (amount > 0) shares += amount / stock.value(price, at);
      }
      this.paid[at] = paid;
      this.shares[at] = shares * cum_factor[stock.row[at]!]!;
    }
  }
}

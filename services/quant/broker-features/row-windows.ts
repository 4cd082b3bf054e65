import type { BrokerDays } from '../broker-measures/broker-days.ts';
import { AT, MEASURE_COUNT } from '../broker-measures/measures.ts';
import { StockDays } from './stock-days.ts';

/** Whose buying is followed. */
export const BROKER_GROUPS = ['all', 'foreign', 'bandar', 'ex_retail'] as const;
export type BrokerGroup = (typeof BROKER_GROUPS)[number];

interface GroupMeasures {
  /** Measures, by their place, that add up to what the group bought, net / turnover. */
  nets: readonly number[];
  /** Of each class of broker in it, the places of what its net buyers paid in all and on average. */
  entries: readonly { entry: number; price: number }[];
}

const RETAIL = { entry: AT.retail_entry, price: AT.retail_entry_price };
const FOREIGN = { entry: AT.foreign_entry, price: AT.foreign_entry_price };
const BANDAR = { entry: AT.bandar_entry, price: AT.bandar_entry_price };

/**
 * Brokers together always buy what they sell; of all of them the five largest net buyers, less the five largest net
 * sellers, are followed.
 */
const GROUP_MEASURES: Readonly<Record<BrokerGroup, GroupMeasures>> = {
  all: { nets: [AT.top5_net], entries: [RETAIL, FOREIGN, BANDAR] },
  foreign: { nets: [AT.foreign_net], entries: [FOREIGN] },
  bandar: { nets: [AT.bandar_net], entries: [BANDAR] },
  ex_retail: { nets: [AT.foreign_net, AT.bandar_net], entries: [FOREIGN, BANDAR] },
};

export interface FlowSettings {
  /** Exchange days of the window. */
  days: number;
  group: BrokerGroup;
}

/** What features of a row are made of: the windows that end on its day, each summed when it is first asked for. */
export class RowWindows {
  readonly stock: StockDays;
  readonly group: GroupDays;
  readonly flowDays: number;
  /** Place of the row's day in `stock`. */
  at = 0;
  /** Mean of the last 20 exchange days, IDR. */
  averageValue = 0;
  readonly #one: LazyTotals;
  readonly #five: LazyTotals;
  readonly #flow: LazyTotals;

  /** For spans of at most so many days. */
  constructor(brokerDays: BrokerDays, { days, group }: FlowSettings, longestDays: number) {
    this.stock = new StockDays(brokerDays, longestDays);
    this.group = new GroupDays(group, longestDays);
    this.flowDays = days;
    this.#one = new LazyTotals(1);
    this.#five = new LazyTotals(5);
    this.#flow = new LazyTotals(days);
  }

  /** To a stock (index), and to days between two calendar indices, both included. */
  turnTo(ticker: number, firstDay: number, lastDay: number): void {
    this.stock.load(ticker, firstDay, lastDay);
    this.group.read(this.stock);
  }

  /** To a day, counted from the first. */
  moveTo(at: number, averageValue: number): void {
    this.at = at;
    this.averageValue = averageValue;
    this.#one.isRead = false;
    this.#five.isRead = false;
    this.#flow.isRead = false;
  }

  /** The row's day. */
  get one(): WindowTotals {
    return this.#one.of(this);
  }

  /** The last five days. */
  get five(): WindowTotals {
    return this.#five.of(this);
  }

  /** The run's window. */
  get flow(): WindowTotals {
    return this.#flow.of(this);
  }
}

class LazyTotals {
  readonly #totals = new WindowTotals();
  readonly #days: number;
  isRead = false;

  constructor(days: number) {
    this.#days = days;
  }

  of({ stock, at }: RowWindows): WindowTotals {
    if (!this.isRead) this.#totals.read(stock, at, this.#days);
    this.isRead = true;
    return this.#totals;
  }
}

/** The first measures are means of days; those from here on are not. */
const SUMMED = AT.retail_entry;

/**
 * Measures over the last days up to one, each day weighed by its turnover, so that shares and nets are those of the whole
 * window. Days that are not known are left out. Every window is summed anew: running sums would depend on where they
 * began.
 */
export class WindowTotals {
  readonly #sums = new Float64Array(SUMMED);
  /** IDR. */
  turnover = 0;

  /** Sums the `days` exchange days up to day `at` of the stock. */
  read({ values, isKnown }: StockDays, at: number, days: number): void {
    const sums = this.#sums.fill(0);
    this.turnover = 0;
    for (let day = Math.max(0, at + 1 - days); day <= at; day++) {
      if (isKnown[day] === 0) continue;
      const start = day * MEASURE_COUNT;
      const turnover = values[start + AT.turnover]!;
      this.turnover += turnover;
      for (let measure = 0; measure < SUMMED; measure++) {
        sums[measure]! += turnover * values[start + measure]!;
      }
    }
  }

  /** Of a measure by its place; NaN when no day is known. */
  mean(measure: number): number {
    return this.#sums[measure]! / this.turnover;
  }

  /** IDR, of a measure that is a share of turnover. */
  sum(measure: number): number {
    return this.#sums[measure]!;
  }
}

/** What a group of brokers did in a stock, day by day; values of a day that is not known mean nothing. */
class GroupDays {
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

import type { BrokerDays } from '../broker-measures/broker-days.ts';
import { AT, MEASURE_COUNT } from '../broker-measures/measures.ts';
import { relativeMove } from '../price-move.ts';
import type { Panel } from '../panel/panel.ts';
import { cumFactorAt } from '../panel/adjustment-factors.ts';
import { foreignNetValue } from '../panel/windows.ts';

/** Groups of brokers whose buying a run can follow. */
export const BROKER_GROUPS = ['all', 'foreign', 'bandar', 'ex_retail'] as const;
export type BrokerGroup = (typeof BROKER_GROUPS)[number];

interface GroupMeasures {
  /** Indices of the measures that add up to the group's net buying / turnover. */
  nets: readonly number[];
  /** For each class of broker in the group: indices of what its net buyers paid in total and on average. */
  entries: readonly { entry: number; price: number }[];
}

const RETAIL = { entry: AT.retail_entry, price: AT.retail_entry_price };
const FOREIGN = { entry: AT.foreign_entry, price: AT.foreign_entry_price };
const BANDAR = { entry: AT.bandar_entry, price: AT.bandar_entry_price };

/**
 * All brokers together always buy exactly what they sell. The group `all` therefore follows the five largest net buyers less
 * the five largest net sellers.
 */
const GROUP_MEASURES: Readonly<Record<BrokerGroup, GroupMeasures>> = {
  all: { nets: [AT.top5_net], entries: [RETAIL, FOREIGN, BANDAR] },
  foreign: { nets: [AT.foreign_net], entries: [FOREIGN] },
  bandar: { nets: [AT.bandar_net], entries: [BANDAR] },
  ex_retail: { nets: [AT.foreign_net, AT.bandar_net], entries: [FOREIGN, BANDAR] },
};

export interface FlowSettings {
  /** Length of the window in exchange days. */
  days: number;
  group: BrokerGroup;
}

/** Input of the features of a row: the windows that end on its day. Each window is summed when it is first read. */
export class RowWindows {
  readonly stock: StockDays;
  readonly group: GroupDays;
  readonly flowDays: number;
  /** Index of the row's day in `stock`. */
  at = 0;
  /** Mean traded value of the last 20 exchange days, IDR. */
  averageValue = 0;
  readonly #one: LazyTotals;
  readonly #five: LazyTotals;
  readonly #flow: LazyTotals;

  /** @param longestDays the longest span, in exchange days, that `turnTo` will load. */
  constructor(brokerDays: BrokerDays, { days, group }: FlowSettings, longestDays: number) {
    this.stock = new StockDays(brokerDays, longestDays);
    this.group = new GroupDays(group, longestDays);
    this.flowDays = days;
    this.#one = new LazyTotals(1);
    this.#five = new LazyTotals(5);
    this.#flow = new LazyTotals(days);
  }

  /** Loads a stock (index) over the days from `firstDay` to `lastDay` (calendar indices, both included). */
  turnTo(ticker: number, firstDay: number, lastDay: number): void {
    this.stock.load(ticker, firstDay, lastDay);
    this.group.read(this.stock);
  }

  /** Moves to a day, counted from the first day loaded. */
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

/** The measures before this one are averaged over days; those from here on are not. */
const SUMMED = AT.retail_entry;

/**
 * Measures over the last days up to a given day, each day weighted by its turnover, so that shares and nets are those of the
 * whole window. Unknown days are left out. Every window is summed from scratch: a running sum would depend on where it
 * started.
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

  /** Mean of a measure, given by its index. NaN when no day is known. */
  mean(measure: number): number {
    return this.#sums[measure]! / this.turnover;
  }

  /** Sum in IDR of a measure that is a share of turnover. */
  sum(measure: number): number {
    return this.#sums[measure]!;
  }
}

/** What a group of brokers did in a stock, day by day. Values of unknown days are meaningless. */
class GroupDays {
  readonly #measures: GroupMeasures;
  /** (bought - sold) / turnover. */
  readonly net: Float64Array;
  /** Gross purchases of the day's net buyers: IDR, and shares adjusted to the stock's first row. */
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
    const { terms } = stock.panel.columns;
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
      this.shares[at] = shares * cumFactorAt(terms, stock.row[at]!);
    }
  }
}

/**
 * Consecutive calendar days of one stock: its measures, whether they are known, and its panel rows. Days are counted from the
 * first day loaded. Buffers are allocated once, for the longest span, and reused for every stock.
 */
class StockDays {
  readonly #brokerDays: BrokerDays;
  /** The {@link MEASURES} of a day are adjacent. */
  readonly values: Float32Array;
  /** 1 where the measures of a day are known. */
  readonly isKnown: Uint8Array;
  /** Panel row of a day, -1 without a bar. */
  readonly row: Int32Array;
  /** Close adjusted to the stock's first row, carried over days without a bar. NaN before the first bar. */
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

  /** Computed when first read for a stock. */
  get moves(): MoneyMoves {
    if (!this.#areMovesRead) this.#moves.read(this);
    this.#areMovesRead = true;
    return this.#moves;
  }

  /** Loads a stock (index) over the days from `firstDay` to `lastDay` (calendar indices, both included). */
  load(ticker: number, firstDay: number, lastDay: number): void {
    const { day: dayOf, close, terms } = this.panel.columns;
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
      this.close[at] = row >= start ? close[row]! / cumFactorAt(terms, row) : NaN;
      this.isKnown[at] = Number(
        this.#brokerDays.read(ticker, firstDay + at, this.values, at * MEASURE_COUNT),
      );
    }
  }

  /** Value of a measure, given by its index, on a day whose measures are known. */
  value(measure: number, at: number): number {
    return this.values[at * MEASURE_COUNT + measure]!;
  }
}

/** Exchange days over which both figures of a day are computed. */
const MOVE_DAYS = 5;

/**
 * For each day of a stock: the net value in IDR that local institutions (from broker rows) and foreign investors (from the
 * exchange's figures) bought in five days, and the return over those days. NaN when a day on which the stock traded is
 * unknown, and where there are not enough days before.
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
      this.returns[at] = relativeMove(close[at - MOVE_DAYS]!, close[at]!);
    }
  }
}

function boughtOn(stock: StockDays, at: number): number {
  const row = stock.row[at]!;
  if (row < 0 || stock.panel.columns.volume[row] === 0) return 0;
  if (stock.isKnown[at] === 0) return NaN;
  return foreignNetValue(stock.panel, row) + stock.value(AT.bandar_net, at) * stock.value(AT.turnover, at);
}

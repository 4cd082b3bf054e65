import type { BrokerDays } from '../broker-days/broker-days.ts';
import type { BrokerGroup } from './broker-group.ts';
import { GroupDays } from './group-days.ts';
import { StockDays } from './stock-days.ts';
import { WindowTotals } from './window-totals.ts';

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

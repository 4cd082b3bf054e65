import { epochDayFromIso, isoFromEpochDay } from '#quant/panel/iso-day.ts';
import type { Panel } from '#quant/panel/panel.ts';
import type { BrokerRows } from './broker-rows.ts';
import { brokerMonth, type BrokerMonth, type Brokers } from './brokers.ts';
import { campaignOn, campaignsOf, firstEpochDay, monthNumber } from './campaigns.ts';
import { Leanings, StockAffinity, stockKey } from './leanings.ts';
import { NegotiatedTrading, negotiatedDay } from './negotiated-trading.ts';
import { regularDay } from './side-weights.ts';
import { RegularTrading } from './regular-trading.ts';

/** Days before a month from which leanings are followed: by its first day next to nothing of their start is left. */
export const BURN_IN_DAYS = 14;

/** The days of which a month's generator needs the bars; `month` is `YYYY-MM`. */
export function spanOfMonth(month: string): { firstDate: string; lastDate: string } {
  const number = monthNumber(month);
  return {
    firstDate: isoFromEpochDay(firstEpochDay(number) - BURN_IN_DAYS),
    lastDate: isoFromEpochDay(firstEpochDay(number + 1) - 1),
  };
}

/**
 * Makes up the broker rows of one month of a market, so that they add up to its bars. The rows of a day depend on
 * seed, broker table, ticker and the stock's own bars from BURN_IN_DAYS before the month to that day, and on nothing else.
 */
export class BrokerMonthGenerator {
  readonly #seed: number;
  readonly #brokers: Brokers;
  readonly #panel: Panel;
  /** Of the panel's calendar. */
  readonly #epochDays: Int32Array;
  readonly #month: number;
  readonly #brokerMonth: BrokerMonth;
  readonly #affinity: StockAffinity;
  readonly #leanings: Leanings;
  readonly #regular: RegularTrading;
  readonly #negotiated: NegotiatedTrading;

  /**
   * @param panel holds at least the bars of `spanOfMonth`
   * @param month `YYYY-MM`
   */
  constructor(seed: number, brokers: Brokers, panel: Panel, month: string) {
    this.#seed = seed;
    this.#brokers = brokers;
    this.#panel = panel;
    this.#epochDays = Int32Array.from(panel.columns.dates, epochDayFromIso);
    this.#month = monthNumber(month);
    this.#brokerMonth = brokerMonth(brokers, month);
    this.#affinity = new StockAffinity(seed, brokers, this.#month, this.#brokerMonth);
    this.#leanings = new Leanings(seed, brokers);
    this.#regular = new RegularTrading(seed, brokers);
    this.#negotiated = new NegotiatedTrading(seed, brokers.codes.length);
  }

  /** Adds the rows of one stock, NEGO before REG within a day. */
  append(ticker: number, rows: BrokerRows): void {
    const { columns } = this.#panel;
    const firstDay = firstEpochDay(this.#month);
    const [from, to] = this.#rowsBetween(ticker, firstDay - BURN_IN_DAYS, firstEpochDay(this.#month + 1));
    if (from === to) return;
    const stock = stockKey(columns.tickers[ticker]!);
    this.#affinity.turnTo(stock);
    this.#negotiated.turnTo(stock, this.#brokerMonth.crossing);
    this.#leanings.reset();
    const campaigns = campaignsOf(this.#seed, stock, this.#month, this.#brokers);
    for (let row = from; row < to; row++) {
      const epochDay = this.#epochDays[columns.day[row]!]!;
      const [negotiated, regular] = [
        negotiatedDay(columns, row, epochDay),
        regularDay(columns, row, epochDay),
      ];
      const isWanted = epochDay >= firstDay;
      if (isWanted && negotiated.volume > 0) this.#negotiated.append(stock, ticker, negotiated, rows);
      if (regular.volume > 0) this.#leanings.next(stock, epochDay);
      if (!isWanted || regular.volume === 0) continue;
      const brokersOfDay = {
        logWeight: this.#affinity.logWeight,
        leaning: this.#leanings.level,
        campaign: campaignOn(campaigns, epochDay),
      };
      this.#regular.append(stock, ticker, regular, brokersOfDay, rows);
    }
  }

  /** The ticker's rows of the days from `fromEpochDay` to before `endEpochDay`. */
  #rowsBetween(ticker: number, fromEpochDay: number, endEpochDay: number): [from: number, to: number] {
    const { offsets, day } = this.#panel.columns;
    let from = offsets[ticker]!;
    while (from < offsets[ticker + 1]! && this.#epochDays[day[from]!]! < fromEpochDay) from++;
    let to = from;
    while (to < offsets[ticker + 1]! && this.#epochDays[day[to]!]! < endEpochDay) to++;
    return [from, to];
  }
}

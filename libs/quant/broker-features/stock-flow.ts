import { brokerCode, AT } from '../broker-measures/measures.ts';
import type { BrokerDays } from '../broker-measures/broker-days.ts';
import { LOOKBACK_DAYS, entryGap, hhiGap } from './gross-features.ts';
import { isRetailLed } from './retail-led.ts';
import { RowWindows, type FlowSettings } from './row-windows.ts';

/** Figures of a stock as of a day, from its gross broker rows. Null where no day of the window is known. */
export interface FlowFigures {
  /** Share of each day's five largest gross buyers, averaged over the window; 0 to 1. */
  top5Buy: number | null;
  /** Concentration of buying less that of selling, -1 to 1. */
  hhiGap: number | null;
  /** Net bought by local institutions in five days, IDR. */
  bandarNet5: number | null;
  /** Share of purchases made through retail brokers, 0 to 1. */
  retailShare: number | null;
  /** Close / average price paid by the group's net buyers - 1; null without net buyers. */
  entryGap: number | null;
  /** Code of the broker that was the largest net buyer on most days of the window. On a tie, the one that led last. */
  topBuyer: string | null;
  /** See {@link isRetailLed}. */
  isRetailLed: boolean;
}

/** Reads the windows of single stocks. For a whole market use GrossRanks. */
export class StockFlow {
  readonly #windows: RowWindows;

  constructor(brokerDays: BrokerDays, settings: FlowSettings) {
    this.#windows = new RowWindows(brokerDays, settings, LOOKBACK_DAYS + 1);
  }

  /** Figures of a stock on a calendar day (indices). */
  figures(ticker: number, day: number): FlowFigures {
    this.#turnTo(ticker, day);
    const { flow, five } = this.#windows;
    return {
      top5Buy: known(flow.mean(AT.top5_buy)),
      hhiGap: known(hhiGap(flow)),
      bandarNet5: five.turnover > 0 ? five.sum(AT.bandar_net) : null,
      retailShare: known(flow.mean(AT.retail_buy)),
      entryGap: known(entryGap(this.#windows)),
      topBuyer: this.#topBuyer(),
      isRetailLed: isRetailLed(this.#windows),
    };
  }

  #turnTo(ticker: number, day: number): void {
    const firstDay = Math.max(0, day - LOOKBACK_DAYS);
    this.#windows.turnTo(ticker, firstDay, day);
    this.#windows.moveTo(day - firstDay, NaN);
  }

  #topBuyer(): string | null {
    const { stock, at, flowDays } = this.#windows;
    const days = new Map<number, number>();
    let top = 0;
    for (let day = Math.max(0, at + 1 - flowDays); day <= at; day++) {
      const leader = stock.isKnown[day] === 1 ? stock.value(AT.leader, day) : 0;
      if (leader === 0) continue;
      days.set(leader, (days.get(leader) ?? 0) + 1);
      if (days.get(leader)! >= (days.get(top) ?? 0)) top = leader;
    }
    return top === 0 ? null : brokerCode(top);
  }
}

function known(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

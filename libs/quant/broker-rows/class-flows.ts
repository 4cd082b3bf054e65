import type { Panel } from '../panel/panel.ts';
import { sharedColumn } from '../panel/panel-columns.ts';
import type { BrokerFlow, FlowBrokers } from './broker-flow.ts';
import { numberAt } from './packed-column.ts';

/** Local institutions (`bandar`) are the brokers that are neither retail nor foreign. */
export const BROKER_CLASSES = ['retail', 'foreign', 'bandar'] as const;
export type BrokerClass = (typeof BROKER_CLASSES)[number];

/** Net flows of the brokers of one class, one value for each stock-day; see {@link ClassFlowColumns}. */
interface NetColumns {
  /** Bought less sold, IDR. */
  value: Float64Array;
  /** Bought less sold, shares not adjusted for splits. */
  shares: Float64Array;
}

/**
 * Net flows of the regular market by class of broker, for every ticker on every held day. A plain object over shared memory:
 * 49 bytes for each stock-day. The index of a stock-day is `ticker × (lastDay + 1 - firstDay) + (day - firstDay)`.
 */
export interface ClassFlowColumns extends Record<BrokerClass, NetColumns> {
  /** Calendar indices of the panel; no days when `lastDay` is below `firstDay`. */
  firstDay: number;
  lastDay: number;
  /** 1 for a stock-day that has broker rows, or on which the stock did not trade; 0 otherwise. */
  isKnown: Uint8Array;
}

/**
 * Sums the rows of `flow` by class. It is one pass over every row, so run it off the request path. Without any row nothing is
 * known, so no days are held.
 */
export function classFlowColumns(panel: Panel, flow: BrokerFlow): ClassFlowColumns {
  const { firstDay, lastDay, brokers } = flow.columns;
  if (flow.rowCount === 0) return emptyColumns(0, { firstDay: 0, lastDay: -1 });
  const dayCount = lastDay + 1 - firstDay;
  const columns = emptyColumns(panel.tickerCount * dayCount, { firstDay, lastDay });
  const netOfBroker = brokers.codes.map((_, broker) => columns[classOf(brokers, broker)]);
  for (let ticker = 0; ticker < panel.tickerCount; ticker++) {
    for (let day = firstDay; day <= lastDay; day++) {
      const at = ticker * dayCount + (day - firstDay);
      const isKnown = !hasTraded(panel, ticker, day) || addRows(flow, ticker, day, at, netOfBroker);
      columns.isKnown[at] = Number(isKnown);
    }
  }
  return columns;
}

/** Look-ups over {@link ClassFlowColumns}. Tickers and days are indices of the panel. */
export class ClassFlows {
  readonly columns: ClassFlowColumns;
  readonly #dayCount: number;

  constructor(columns: ClassFlowColumns) {
    this.columns = columns;
    this.#dayCount = Math.max(0, columns.lastDay + 1 - columns.firstDay);
  }

  /** Whether the flows of the classes are known for the stock on that day. False for a day that is not held. */
  isKnown(ticker: number, day: number): boolean {
    const { firstDay, lastDay, isKnown } = this.columns;
    return day >= firstDay && day <= lastDay && isKnown[this.at(ticker, day)] === 1;
  }

  /** Index of a stock-day into the columns. The day must be held. */
  at(ticker: number, day: number): number {
    return ticker * this.#dayCount + (day - this.columns.firstDay);
  }

  /**
   * Net value of a class over the last `days` exchange days up to `asOfDay`, IDR. Null unless it is known for every one of
   * them. A window that starts before the panel begins is cut off there.
   */
  netValue(of: BrokerClass, ticker: number, asOfDay: number, days: number): number | null {
    const { value } = this.columns[of];
    let sum = 0;
    for (let day = Math.max(0, asOfDay + 1 - days); day <= asOfDay; day++) {
      if (!this.isKnown(ticker, day)) return null;
      sum += value[this.at(ticker, day)]!;
    }
    return sum;
  }
}

function emptyColumns(length: number, days: { firstDay: number; lastDay: number }): ClassFlowColumns {
  const net = () => ({
    value: sharedColumn(Float64Array, length),
    shares: sharedColumn(Float64Array, length),
  });
  return {
    ...days,
    retail: net(),
    foreign: net(),
    bandar: net(),
    isKnown: new Uint8Array(new SharedArrayBuffer(length)),
  };
}

/** Class of a broker, given by its index. */
export function classOf({ isRetail, isForeign }: FlowBrokers, broker: number): BrokerClass {
  if (isRetail[broker] === 1) return 'retail';
  return isForeign[broker] === 1 ? 'foreign' : 'bandar';
}

/** Returns whether the stock-day has any rows. */
function addRows(
  flow: BrokerFlow,
  ticker: number,
  day: number,
  at: number,
  netOfBroker: NetColumns[],
): boolean {
  const { broker, buy_value, sell_value, buy_shares, sell_shares } = flow.columns;
  const { from, to } = flow.rows('REG', ticker, day);
  for (let row = from; row < to; row++) {
    const { value, shares } = netOfBroker[broker[row]!]!;
    value[at]! += numberAt(buy_value, row) - numberAt(sell_value, row);
    shares[at]! += numberAt(buy_shares, row) - numberAt(sell_shares, row);
  }
  return to > from;
}

function hasTraded(panel: Panel, ticker: number, day: number): boolean {
  const row = panel.rowAt(ticker, day);
  return row >= 0 && panel.columns.volume[row]! > 0;
}

import type { BrokerClass, ClassFlows } from '../broker-flow/class-flows.ts';
import type { Panel } from '../panel/panel.ts';
import { foreignNetValue } from '../snapshot/money-windows.ts';

/** What somebody bought less what they sold of a stock, one value a day. */
export interface NetDays {
  /** IDR. */
  value: Float64Array;
  /** Shares as they were on the day. */
  shares: Float64Array;
}

/**
 * Gives the net of each of the consecutive panel rows `from` (inclusive) to `end` (exclusive) of `ticker` (index);
 * undefined when that of a row with volume is not known. The arrays begin with the first row, may be longer than the
 * rows, and are written anew by the next call.
 */
export type DailyNet = (ticker: number, from: number, end: number) => NetDays | undefined;

/** Of foreign investors, as the exchange publishes it: known of every day. */
export function foreignNet(panel: Panel): DailyNet {
  const { foreign_buy, foreign_sell } = panel.columns;
  const days = daysOf(panel);
  return (_ticker, from, end) => {
    for (let row = from; row < end; row++) {
      days.value[row - from] = foreignNetValue(panel, row);
      days.shares[row - from] = foreign_buy[row]! - foreign_sell[row]!;
    }
    return days;
  };
}

/** Of the brokers of a class: known where broker rows are in memory. */
export function classNet(panel: Panel, flows: ClassFlows, of: BrokerClass): DailyNet {
  const { day, volume } = panel.columns;
  const net = flows.columns[of];
  const days = daysOf(panel);
  return (ticker, from, end) => {
    for (let row = from; row < end; row++) {
      const isKnown = flows.isKnown(ticker, day[row]!);
      if (!isKnown && volume[row]! > 0) return undefined;
      const at = flows.at(ticker, day[row]!);
      days.value[row - from] = isKnown ? net.value[at]! : 0;
      days.shares[row - from] = isKnown ? net.shares[at]! : 0;
    }
    return days;
  };
}

function daysOf({ dayCount }: Panel): NetDays {
  return { value: new Float64Array(dayCount), shares: new Float64Array(dayCount) };
}

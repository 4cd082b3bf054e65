import type { BrokerFlow } from './broker-flow.ts';
import type { StockSpan } from './trading.ts';

/**
 * Calls `onRow(row, day)` for every row that a broker (index) has in the span, days ascending. Runs through all rows of
 * the span, which are consecutive: some hundred thousand a millisecond, so that no index by broker has to be kept.
 */
export function forEachRowOfBroker(
  flow: BrokerFlow,
  { market, ticker, firstDay, lastDay }: StockSpan,
  broker: number,
  onRow: (row: number, day: number) => void,
): void {
  const { from, to } = flow.rows(market, ticker, firstDay, lastDay);
  if (from === to) return;
  const { broker: brokerOf, offsets } = flow.columns;
  let day = Math.max(firstDay, flow.columns.firstDay);
  let group = flow.group(market, ticker, day);
  for (let row = from; row < to; row++) {
    if (brokerOf[row] !== broker) continue;
    while (offsets[group + 1]! <= row) {
      group++;
      day++;
    }
    onRow(row, day);
  }
}

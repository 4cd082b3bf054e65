import type { Panel } from '../panel/panel.ts';
import type { BrokerFlow } from './broker-flow.ts';
import { forEachRowOfBroker } from './rows-of-broker.ts';
import { addRow, noTrading, shareScaleOf, type StockSpan, type Trading } from './trading.ts';

/** What one broker (index) did in one stock over a span of days. */
export interface BrokerTotal extends Trading {
  broker: number;
}

/** Every broker with a row in the span, in the order of their codes. Days that are not held count as without rows. */
export function brokerTotals(panel: Panel, flow: BrokerFlow, span: StockSpan): BrokerTotal[] {
  const { columns } = flow;
  const totals = new Array<BrokerTotal | undefined>(columns.brokers.codes.length).fill(undefined);
  const shareScale = shareScaleOf(panel, span);
  for (let day = span.firstDay; day <= span.lastDay; day++) {
    const { from, to } = flow.rows(span.market, span.ticker, day);
    if (from === to) continue;
    const terms = { shareScale: shareScale(day), isNet: flow.isNet(span.market, span.ticker, day) };
    for (let row = from; row < to; row++) {
      const broker = columns.broker[row]!;
      addRow((totals[broker] ??= { broker, ...noTrading() }), columns, row, terms);
    }
  }
  return totals.filter((total) => total !== undefined);
}

/** What one broker did in the span, undefined when it did not trade: that entry of {@link brokerTotals} by itself. */
export function oneBrokerTotal(
  panel: Panel,
  flow: BrokerFlow,
  span: StockSpan,
  broker: number,
): BrokerTotal | undefined {
  let total: BrokerTotal | undefined;
  let shareScale: ((day: number) => number) | undefined;
  forEachRowOfBroker(flow, span, broker, (row, day) => {
    total ??= { broker, ...noTrading() };
    shareScale ??= shareScaleOf(panel, span);
    const isNet = flow.isNet(span.market, span.ticker, day);
    addRow(total, flow.columns, row, { shareScale: shareScale(day), isNet });
  });
  return total;
}

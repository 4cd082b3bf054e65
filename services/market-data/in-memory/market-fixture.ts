import { ClassFlows, classFlowColumns } from '#quant/broker-flow/class-flows.ts';
import { brokerFlowOf } from '#quant/broker-flow/flow-fixture.ts';
import type { Panel } from '#quant/panel/panel.ts';
import type { Market } from './load-market.ts';

/** A panel as a market in memory, for tests: without broker rows unless given. */
export function marketOf(panel: Panel, brokerFlow = brokerFlowOf(panel, [])): Market {
  return { panel, brokerFlow, classFlows: new ClassFlows(classFlowColumns(panel, brokerFlow)) };
}

import { ClassFlows, classFlowColumns } from '#quant/broker-rows/class-flows.ts';
import { brokerFlowOf } from '#quant/broker-rows/flow-fixture.ts';
import type { Panel } from '#quant/panel/panel.ts';
import type { Market } from './loaded-dataset.ts';

/** A panel as a market in memory, for tests: without broker rows unless given. */
export function marketOf(panel: Panel, brokerFlow = brokerFlowOf(panel, [])): Market {
  return { panel, brokerFlow, classFlows: new ClassFlows(classFlowColumns(panel, brokerFlow)) };
}

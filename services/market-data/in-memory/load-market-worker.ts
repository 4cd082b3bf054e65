import { parentPort, workerData } from 'node:worker_threads';
import { BrokerFlow } from '#quant/broker-flow/broker-flow.ts';
import { classFlowColumns } from '#quant/broker-flow/class-flows.ts';
import { loadBrokerFlow } from '#quant/broker-flow/flow-query.ts';
import { loadPanel } from '#quant/panel/panel-query.ts';
import { Panel } from '#quant/panel/panel.ts';
import { connectClickHouse } from '#shared/clickhouse.ts';
import { readArrow } from '#shared/clickhouse-arrow.ts';
import type { LoadedColumns, MarketToLoad } from './load-market.ts';

/** The whole loading has a deadline in the thread that waits; this one is for a silent connection. */
const SILENCE_MS = 30_000;

const { clickhouseUrl, version, segments, brokerDays, held } = workerData as MarketToLoad;
const client = connectClickHouse(clickhouseUrl, SILENCE_MS);
const read = (query: string, params: Record<string, unknown>) => readArrow(client, query, params);
const panel = await loadPanel(read, version);
const lastDay = panel.dayCount - 1;
const span = { firstDay: Math.max(0, lastDay + 1 - brokerDays), lastDay };
const heldFlow = held && {
  panel: new Panel(held.panel),
  flow: new BrokerFlow(held.brokerFlow),
  segments: held.segments,
};
const brokerFlow = await loadBrokerFlow(read, { panel, version, segments, ...span, held: heldFlow });
await client.close();
const columns: LoadedColumns = {
  panel: panel.columns,
  brokerFlow: brokerFlow.columns,
  classFlows: classFlowColumns(panel, brokerFlow),
};
parentPort!.postMessage(columns);

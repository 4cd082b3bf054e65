import { Worker } from 'node:worker_threads';
import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import { BrokerFlow } from '#quant/broker-flow/broker-flow.ts';
import { ClassFlows, type ClassFlowColumns } from '#quant/broker-flow/class-flows.ts';
import type { FlowColumns } from '#quant/broker-flow/flow-columns.ts';
import { Panel } from '#quant/panel/panel.ts';
import type { PanelColumns } from '#quant/panel/panel-columns.ts';
import type { LoadedDataset } from './dataset-in-use.ts';

const WORKER = new URL('./load-market-worker.ts', import.meta.url);
const DEADLINE_MS = 60_000;

/**
 * Broker rows of so many of the newest trading days are kept in memory: the longest window of any request. Older days
 * are read when they are asked for.
 */
const BROKER_DAYS = 250;

/** What answers are made from. */
export interface Market {
  panel: Panel;
  /** Of the newest days; without rows when the dataset has none. */
  brokerFlow: BrokerFlow;
  /** The same by class of broker. */
  classFlows: ClassFlows;
}

/** Given the dataset that is in memory so far. */
export type LoadMarket = (dataset: Dataset, loaded: LoadedDataset | undefined) => Promise<Market>;

export interface MarketToLoad {
  clickhouseUrl: string;
  version: string;
  segments: string[];
  brokerDays: number;
  /** What is in memory already. */
  held?: { panel: PanelColumns; brokerFlow: FlowColumns; segments: string[] } | undefined;
}

export interface LoadedColumns {
  panel: PanelColumns;
  brokerFlow: FlowColumns;
  classFlows: ClassFlowColumns;
}

/**
 * Loads a version in a thread of its own, so that requests are answered meanwhile. What it has in common with the one
 * in memory need not be read.
 */
export function marketLoader(clickhouseUrl: string): LoadMarket {
  return ({ version, broker_segments }, loaded) => {
    const held = loaded && {
      panel: loaded.panel.columns,
      brokerFlow: loaded.brokerFlow.columns,
      segments: loaded.dataset.broker_segments,
    };
    return load({ clickhouseUrl, version, segments: broker_segments, brokerDays: BROKER_DAYS, held });
  };
}

async function load(wanted: MarketToLoad): Promise<Market> {
  const worker = new Worker(WORKER, { workerData: wanted, name: 'market loader' });
  const { promise: columns, resolve, reject } = Promise.withResolvers<LoadedColumns>();
  worker.once('message', resolve);
  worker.once('error', reject);
  worker.once('exit', () => reject(new Error('the loader ended without a market')));
  const overdue = setTimeout(
    () => reject(new Error(`not loaded within ${DEADLINE_MS / 1000} s`)),
    DEADLINE_MS,
  );
  try {
    const { panel, brokerFlow, classFlows } = await columns;
    return {
      panel: new Panel(panel),
      brokerFlow: new BrokerFlow(brokerFlow),
      classFlows: new ClassFlows(classFlows),
    };
  } finally {
    clearTimeout(overdue);
    await worker.terminate();
  }
}

import type { ClickHouseAddress } from '#shared/clickhouse/address.ts';
import { Worker } from 'node:worker_threads';
import { BrokerFlow, type FlowColumns } from '#quant/broker-rows/broker-flow.ts';
import { ClassFlows, type ClassFlowColumns } from '#quant/broker-rows/class-flows.ts';
import { Universes } from '#quant/corporate-actions/universes.ts';
import { Panel } from '#quant/panel/panel.ts';
import type { PanelColumns } from '#quant/panel/panel-columns.ts';
import { statedIn, type StoredAction } from '../store/action-rows.ts';
import { StockActions } from './stock-actions.ts';
import { IncompleteDataset, type Market, type LoadMarket, type RowCounts } from './loaded-dataset.ts';

const WORKER = new URL('./load-market-worker.ts', import.meta.url);
const DEADLINE_MS = 60_000;

/**
 * The number of newest trading days whose broker rows are kept in memory: the longest window of any request. Older days
 * are read on demand.
 */
const BROKER_DAYS = 250;

export interface MarketToLoad {
  clickhouseAt: ClickHouseAddress;
  version: string;
  segments: string[];
  published: RowCounts;
  brokerDays: number;
  /** What is already in memory. */
  held?: { version: string; panel: PanelColumns; brokerFlow: FlowColumns; segments: string[] } | undefined;
}

export interface LoadedColumns {
  panel: PanelColumns;
  brokerFlow: FlowColumns;
  classFlows: ClassFlowColumns;
  actions: StoredAction[];
}

/** The result of a load: a market, or the stored row counts if they differ from the published ones. */
export type LoadOutcome = { loaded: LoadedColumns } | { stored: RowCounts };

/**
 * Loads a version in a worker thread, so that requests are answered meanwhile. Data that it shares with the version in
 * memory is not read again.
 */
export function marketLoader(clickhouseAt: ClickHouseAddress): LoadMarket {
  return ({ version, broker_segments, bars, broker_rows }, loaded) => {
    const held = loaded && {
      version: loaded.dataset.version,
      panel: loaded.panel.columns,
      brokerFlow: loaded.brokerFlow.columns,
      segments: loaded.dataset.broker_segments,
    };
    const published = { bars, brokerRows: broker_rows };
    const wanted = { clickhouseAt, version, segments: broker_segments, published, held };
    return load({ ...wanted, brokerDays: BROKER_DAYS });
  };
}

async function load(wanted: MarketToLoad): Promise<Market> {
  const worker = new Worker(WORKER, { workerData: wanted, name: 'market loader' });
  const { promise: outcome, resolve, reject } = Promise.withResolvers<LoadOutcome>();
  worker.once('message', resolve);
  worker.once('error', reject);
  worker.once('exit', () => reject(new Error('the loader ended without a market')));
  const overdue = setTimeout(
    () => reject(new Error(`not loaded within ${DEADLINE_MS / 1000} s`)),
    DEADLINE_MS,
  );
  try {
    const came = await outcome;
    if ('stored' in came) throw new IncompleteDataset(wanted.version, came.stored, wanted.published);
    const { brokerFlow, classFlows, actions } = came.loaded;
    const panel = new Panel(came.loaded.panel);
    return {
      panel,
      brokerFlow: new BrokerFlow(brokerFlow),
      classFlows: new ClassFlows(classFlows),
      actions: new StockActions(panel, actions),
      universes: new Universes(statedIn(actions), panel.columns.dates.at(-1) ?? ''),
    };
  } finally {
    clearTimeout(overdue);
    await worker.terminate();
  }
}

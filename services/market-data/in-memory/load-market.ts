import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import type { ClickHouseAddress } from '#platform/clickhouse/address.ts';
import { Worker } from 'node:worker_threads';
import { BrokerFlow, type FlowColumns } from '#quant/broker-rows/broker-flow.ts';
import { ClassFlows, type ClassFlowColumns } from '#quant/broker-rows/class-flows.ts';
import { Universes } from '#quant/corporate-actions/universes.ts';
import { Panel } from '#quant/panel/panel.ts';
import type { PanelColumns } from '#quant/panel/panel-columns.ts';
import { statedIn, type StoredAction } from '../store/action-rows.ts';
import { StockActions } from './stock-actions.ts';
import { IncompleteDataset, type LoadedDataset, type Market, type RowCounts } from './loaded-dataset.ts';

const WORKER = new URL('./load-market-worker.ts', import.meta.url);
/** A slow machine may take any time, as long as rows come. Longer than the silence after which the thread itself gives up. */
const STALLED_AFTER_MS = 120_000;
/** A thread costs twenty MiB, and its start a fifth of a second, which the next of several versions in a row does not wait for. */
const IDLE_MS = 10_000;

/**
 * The number of newest trading days whose broker rows are kept in memory: the longest window of any request. Older days
 * are read on demand.
 */
const BROKER_DAYS = 250;

export interface MarketToLoad {
  version: string;
  wholeUntil: string;
  segments: string[];
  published: RowCounts;
  brokerDays: number;
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

/** What the thread says: that rows have come, and at last the outcome. */
export type LoadMessage = 'progress' | LoadOutcome;

/**
 * Loads versions in a worker thread, one at a time, so that requests are answered meanwhile. Data that a version shares with the one
 * in memory is not read again. The thread ends when it is idle for a while.
 */
export class MarketLoader {
  readonly #clickhouseAt: ClickHouseAddress;
  readonly #onEnded: () => void;
  readonly #stalledAfterMs: number;
  #thread: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;

  /** @param onEnded called when the idle thread has ended */
  constructor(
    clickhouseAt: ClickHouseAddress,
    onEnded: () => void,
    stalledAfterMs: number = STALLED_AFTER_MS,
  ) {
    this.#clickhouseAt = clickhouseAt;
    this.#onEnded = onEnded;
    this.#stalledAfterMs = stalledAfterMs;
  }

  /** Starts the thread ahead of a load. */
  warmUp(): void {
    this.#started();
    this.#endWhenIdle();
  }

  /** @throws IncompleteDataset */
  async load(
    { version, whole_until: wholeUntil, broker_segments: segments, bars, broker_rows: brokerRows }: Dataset,
    loaded: LoadedDataset | undefined,
  ): Promise<Market> {
    const published = { bars, brokerRows };
    const held = loaded && {
      version: loaded.dataset.version,
      panel: loaded.panel.columns,
      brokerFlow: loaded.brokerFlow.columns,
      segments: loaded.dataset.broker_segments,
    };
    const outcome = await this.#read({
      ...{ version, wholeUntil, segments, published, held },
      brokerDays: BROKER_DAYS,
    });
    if ('stored' in outcome) throw new IncompleteDataset(version, outcome.stored, published);
    const { panel: columns, brokerFlow, classFlows, actions } = outcome.loaded;
    const panel = new Panel(columns);
    return {
      panel,
      brokerFlow: new BrokerFlow(brokerFlow),
      classFlows: new ClassFlows(classFlows),
      actions: new StockActions(panel, actions),
      universes: new Universes(statedIn(actions), panel.columns.dates.at(-1) ?? ''),
    };
  }

  async stop(): Promise<void> {
    clearTimeout(this.#idle);
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.terminate();
  }

  async #read(wanted: MarketToLoad): Promise<LoadOutcome> {
    const thread = this.#started();
    const { promise, resolve, reject } = Promise.withResolvers<LoadOutcome>();
    const ended = () => reject(new Error('the loader ended without a market'));
    const seconds = this.#stalledAfterMs / 1000;
    const stalled = () => reject(new Error(`nothing was loaded for ${seconds} s`));
    const stall = setTimeout(stalled, this.#stalledAfterMs);
    const hear = (message: LoadMessage) => {
      stall.refresh();
      if (message !== 'progress') resolve(message);
    };
    thread.on('message', hear).once('error', reject).once('exit', ended);
    try {
      thread.postMessage(wanted);
      return await promise;
    } catch (error) {
      void this.stop();
      throw error;
    } finally {
      clearTimeout(stall);
      thread.off('message', hear).off('error', reject).off('exit', ended);
      this.#endWhenIdle();
    }
  }

  #started(): Worker {
    clearTimeout(this.#idle);
    if (this.#thread) return this.#thread;
    const thread = new Worker(WORKER, { workerData: this.#clickhouseAt, name: 'market loader' });
    // A thread that ends without being asked to is replaced at the next load.
    thread.on('error', () => {});
    thread.once('exit', () => {
      if (this.#thread === thread) this.#thread = undefined;
    });
    return (this.#thread = thread);
  }

  #endWhenIdle(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.stop().then(this.#onEnded), IDLE_MS).unref();
  }
}

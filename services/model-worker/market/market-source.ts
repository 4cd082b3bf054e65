import { Worker } from 'node:worker_threads';
import type { BrokerMonth } from '#quant/broker-measures/measures.ts';
import type { FlowColumns } from '#quant/broker-rows/broker-flow.ts';
import type { DaySpan } from '#quant/panel/ranges.ts';
import type { Logger } from '#shared/logger.ts';
import { endedWithin } from '#shared/waiting.ts';
import { ThreadRequests } from '../threads/thread-requests.ts';
import type { FromMarketThread, MarketQuery, MarketThreadStart, ToMarketThread } from './market-thread.ts';
import type { DatasetToLoad, SharedMarket } from './shared-market.ts';

const THREAD = new URL('./market-thread.ts', import.meta.url);
/** Rows arrive as columns, outside the heap. */
const YOUNG_MIB = 4;
const END_WITHIN_MS = 1_000;

/** Dataset versions and broker rows, read in a thread of their own, which is replaced if it crashes. */
export class MarketSource {
  readonly #start: MarketThreadStart;
  readonly #log: Logger;
  readonly #requests = new ThreadRequests<MarketQuery>((request) => this.#post(request));
  #thread: Worker | undefined;
  /** The versions that a new thread must know. */
  #held: SharedMarket[] = [];

  constructor(start: MarketThreadStart, log: Logger) {
    this.#start = start;
    this.#log = log;
  }

  /** Rejects with Unreadable, like all reads. */
  async read(dataset: DatasetToLoad): Promise<SharedMarket> {
    const market = await this.#requests.ask<SharedMarket>({ what: 'market', dataset });
    this.#held.push(market);
    return market;
  }

  flowOf(version: string, span: DaySpan): Promise<FlowColumns> {
    return this.#requests.ask({ what: 'flow', version, span });
  }

  monthsOf(version: string, span: DaySpan): Promise<BrokerMonth[]> {
    return this.#requests.ask({ what: 'months', version, span });
  }

  /** Lets go of a version that no run uses any more. */
  forget(version: string): void {
    this.#held = this.#held.filter(({ dataset }) => dataset.version !== version);
    this.#post({ kind: 'forget', version });
  }

  async stop(): Promise<void> {
    const thread = this.#thread;
    if (!thread) return;
    const ended = new Promise((resolve) => thread.once('exit', resolve));
    this.#post({ kind: 'stop' });
    if (!(await endedWithin(ended, END_WITHIN_MS))) await thread.terminate();
  }

  #post(message: ToMarketThread): void {
    (this.#thread ??= this.#startThread()).postMessage(message);
  }

  #startThread(): Worker {
    const thread = new Worker(THREAD, {
      workerData: this.#start,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB },
    });
    thread.on('message', (message: FromMarketThread) => {
      if (message.kind === 'answer') this.#requests.settle(message);
      else this.#log.warn({ reason: message.problem }, 'the cache of markets does not work');
    });
    thread.on('error', (error) => this.#log.error({ err: error }, 'the market thread crashed'));
    thread.on('exit', () => {
      this.#thread = undefined;
      this.#requests.failAll('the thread that reads markets has ended');
    });
    for (const market of this.#held) thread.postMessage({ kind: 'hold', market } satisfies ToMarketThread);
    return thread;
  }
}

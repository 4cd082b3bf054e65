import { Worker } from 'node:worker_threads';
import type { BrokerMonth } from '#quant/broker-measures/measures.ts';
import type { FlowColumns } from '#quant/broker-rows/broker-flow.ts';
import type { DaySpan } from '#quant/panel/ranges.ts';
import type { Logger } from '#platform/operations/logger.ts';
import { collectGarbage } from '#platform/process/collect-garbage.ts';
import { endedWithin } from '#platform/process/waiting.ts';
import { ThreadRequests, type ThreadAnswer } from './thread-requests.ts';
import type { FromMarketThread, MarketQuery, MarketThreadStart, ToMarketThread } from './market-thread.ts';
import { segmentOf, type NamedMonths } from './named-months.ts';
import { isRecent } from './recent-months.ts';
import type { DatasetToLoad, SharedMarket } from './shared-market.ts';

const THREAD = new URL('./market-thread.ts', import.meta.url);
/** Rows arrive as columns, outside the heap. */
const YOUNG_MIB = 4;
const END_WITHIN_MS = 1_000;
/** The start of another thread takes a fraction of a second. */
const IDLE_MS = 5_000;

/**
 * Dataset versions and broker rows, read in a thread of their own. It is replaced if it crashes, and ends when nothing has been read
 * for a while: in memory it costs twenty MiB, and most runs need no further rows.
 */
export class MarketSource {
  readonly #start: MarketThreadStart;
  readonly #log: Logger;
  readonly #idleMs: number;
  readonly #requests = new ThreadRequests<MarketQuery>((request) => this.#post(request));
  #thread: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  /** The versions that a new thread must know, and the months of broker rows that it need not read again. */
  #held: SharedMarket[] = [];
  #months: NamedMonths = new Map();

  constructor(start: MarketThreadStart, log: Logger, idleMs = IDLE_MS) {
    this.#idleMs = idleMs;
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
    const segments = new Set(this.#held.flatMap((market) => market.segments));
    const months = [...this.#months].filter(([name]) => segments.has(segmentOf(name)));
    this.#months = new Map(months);
    this.#thread?.postMessage({ kind: 'forget', version } satisfies ToMarketThread);
  }

  async stop(): Promise<void> {
    clearTimeout(this.#idle);
    const thread = this.#thread;
    if (!thread) return;
    const ended = new Promise((resolve) => thread.once('exit', resolve));
    thread.postMessage({ kind: 'stop' } satisfies ToMarketThread);
    if (!(await endedWithin(ended, END_WITHIN_MS))) await thread.terminate();
  }

  #post(message: ToMarketThread): void {
    clearTimeout(this.#idle);
    (this.#thread ??= this.#startThread()).postMessage(message);
  }

  #settle(answer: ThreadAnswer): void {
    this.#requests.settle(answer);
    clearTimeout(this.#idle);
    if (!this.#requests.isWaiting) this.#idle = setTimeout(() => this.#end(), this.#idleMs).unref();
  }

  /** Questions from now on go to a new thread. */
  #end(): void {
    this.#thread?.postMessage({ kind: 'stop' } satisfies ToMarketThread);
    this.#thread = undefined;
    if (this.#start.cacheDir !== '') this.#forgetOlderMonths();
  }

  /** Lets go of the months that only runs that train read: 45 MiB, which the next one reads from files. */
  #forgetOlderMonths(): void {
    const isNeeded = (month: BrokerMonth) => this.#held.some(({ panel }) => isRecent(month, panel));
    this.#months = new Map([...this.#months].filter(([, month]) => isNeeded(month)));
    collectGarbage();
  }

  #startThread(): Worker {
    const thread = new Worker(THREAD, {
      workerData: this.#start,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB },
    });
    thread.on('message', (message: FromMarketThread) => {
      if (message.kind === 'answer') this.#settle(message);
      else if (message.kind === 'read') this.#months = new Map([...this.#months, ...message.months]);
      else this.#log.warn({ reason: message.problem }, 'the cache of markets does not work');
    });
    thread.on('error', (error) => this.#log.error({ err: error }, 'the market thread crashed'));
    thread.on('exit', () => {
      if (this.#thread !== thread) return;
      this.#thread = undefined;
      this.#requests.failAll('the thread that reads markets has ended');
    });
    for (const market of this.#held)
      thread.postMessage({ kind: 'hold', market, months: this.#months } satisfies ToMarketThread);
    return thread;
  }
}

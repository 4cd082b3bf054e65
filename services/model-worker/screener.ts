import { Worker } from 'node:worker_threads';
import type { Logger } from '#shared/logger.ts';
import { FAILURE } from './failure-messages.ts';
import type {
  DatasetToLoad,
  FromThread,
  Outcome,
  ThreadRun,
  ThreadStart,
  ToThread,
} from './thread-messages.ts';

export interface ScreenerOptions {
  clickhouseUrl: string;
  log: Logger;
  /** A run that takes longer is ended together with its thread. */
  runTimeoutMs?: number;
}

const RUN_TIMEOUT_MS = 5 * 60_000;
const RESTART_PAUSE_MS = 1_000;
const WELL_AFTER_MS = 5_000;
const RELOAD_PAUSE_MS = 2_000;
const THREAD = new URL('./screen-thread.ts', import.meta.url);

/** Runs models one at a time in a thread of their own, which is replaced when it crashes. */
export class Screener {
  readonly #options: ScreenerOptions;
  #thread: Worker | undefined;
  /** Resolves when there is a thread. */
  #started = Promise.withResolvers<void>();
  #startedAt = 0;
  #dataset: DatasetToLoad | undefined;
  #finish: ((outcome: Outcome) => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: ScreenerOptions) {
    this.#options = options;
    this.#start();
  }

  /** Reads this version into memory ahead of the next run. */
  load(dataset: DatasetToLoad): void {
    this.#dataset = dataset;
    this.#tell({ kind: 'load', dataset });
  }

  /** Never rejects: whatever goes wrong is an outcome. Call again only when the run before has ended. */
  async run(run: ThreadRun): Promise<Outcome> {
    const dataset = this.#dataset;
    if (!dataset) return { status: 'failed', message: FAILURE.noDataset };
    await this.#started.promise;
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    this.#finish = resolve;
    const overdue = setTimeout(
      () => this.#giveUp(FAILURE.tooLong),
      this.#options.runTimeoutMs ?? RUN_TIMEOUT_MS,
    );
    this.#tell({ kind: 'run', dataset, run });
    return promise.finally(() => clearTimeout(overdue));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    const thread = this.#thread;
    this.#lose();
    await thread?.terminate();
  }

  #start(): void {
    const workerData: ThreadStart = { clickhouseUrl: this.#options.clickhouseUrl };
    const thread = new Worker(THREAD, { workerData });
    thread.on('message', (message: FromThread) => this.#heard(message));
    thread.on('error', (error) => this.#options.log.error({ err: error }, 'the screen thread crashed'));
    thread.on('exit', () => this.#replace());
    this.#thread = thread;
    this.#startedAt = performance.now();
    this.#started.resolve();
    if (this.#dataset) this.load(this.#dataset);
  }

  /** At once, unless the thread cannot even start. */
  #replace(): void {
    this.#lose();
    this.#settle({ status: 'failed', message: FAILURE.unexpected });
    if (this.#stopped) return;
    const pauseMs = performance.now() - this.#startedAt < WELL_AFTER_MS ? RESTART_PAUSE_MS : 0;
    this.#timer = setTimeout(() => this.#start(), pauseMs);
  }

  #lose(): void {
    if (this.#thread) this.#started = Promise.withResolvers<void>();
    this.#thread = undefined;
  }

  #giveUp(message: string): void {
    this.#options.log.error('a run took too long, its thread is ended');
    void this.#thread?.terminate();
    this.#lose();
    this.#settle({ status: 'failed', message });
  }

  #heard(message: FromThread): void {
    const { log } = this.#options;
    if (message.kind === 'loaded')
      log.info({ version: message.version, ms: message.tookMs }, 'dataset loaded');
    else if (message.kind === 'not_loaded') this.#loadLater(message);
    else {
      if (message.unexpected) log.error({ stack: message.unexpected }, 'a model failed unexpectedly');
      this.#settle(message.outcome);
    }
  }

  #loadLater({ version, reason }: { version: string; reason: string }): void {
    this.#options.log.warn({ version, reason }, 'dataset not loaded yet');
    if (this.#stopped || version !== this.#dataset?.version) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.load(this.#dataset!), RELOAD_PAUSE_MS);
  }

  #settle(outcome: Outcome): void {
    this.#finish?.(outcome);
    this.#finish = undefined;
  }

  #tell(message: ToThread): void {
    this.#thread?.postMessage(message);
  }
}

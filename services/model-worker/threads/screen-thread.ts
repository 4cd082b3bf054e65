import { Worker } from 'node:worker_threads';
import type { Logger } from '#platform/operations/logger.ts';
import { endedWithin } from '#platform/process/waiting.ts';
import { FAILURE } from '../failures/failure-messages.ts';
import type { SharedMarket } from '../market/shared-market.ts';
import type { ProcessModelCache } from '../model-cache/process-model-cache.ts';
import { RunCancellation } from './run-cancellation.ts';
import type {
  FromThread,
  Outcome,
  ThreadQuery,
  ThreadRun,
  ThreadStart,
  ToThread,
} from './thread-messages.ts';
import { responseTo, type ThreadRequest } from '../market/thread-requests.ts';
import type { BrokerRows } from './thread-runs.ts';

export interface ScreenThreadOptions {
  /** Number of threads that train together. */
  trainerThreads: number;
  patienceMs: number;
  brokerRows: BrokerRows;
  /** Absent if no model trained on the same numbers is reused. */
  modelCache?: Pick<ProcessModelCache, 'find' | 'trained' | 'release'> | undefined;
  log: Logger;
  /** Whether the thread, which may train for long, leaves the processor to others that want it. */
  yields?: boolean;
  /**
   * A run that takes longer, not counting its waits for ClickHouse, is ended, and its thread too if the thread does not give up
   * the run.
   */
  runTimeoutMs?: number;
  /** How long a thread may take to give up its run before it is terminated. */
  giveUpWithinMs?: number;
  /** A run that needs more memory than this for its objects ends with its thread. Columns of numbers do not count. */
  maxHeapMiB?: number;
  entry?: URL;
}

const RUN_TIMEOUT_MS = 5 * 60_000;
/** A training thread notices within milliseconds that it must give up its run. A thread that does not is terminated. */
const GIVE_UP_WITHIN_MS = 1_000;
/** Ten times what the largest market needs. */
const MAX_HEAP_MIB = 1_024;
/**
 * Most of what a run makes is columns, outside the heap. A thread keeps this memory for ever. With twice as much no run is faster;
 * with half as much some take a tenth longer. V8's default takes up to 64 MiB more.
 */
const YOUNG_MIB = 8;
const RESTART_PAUSE_MS = 1_000;
const WELL_AFTER_MS = 5_000;
const ENTRY = new URL('./screen-thread-entry.ts', import.meta.url);

/** Runs models one at a time in a separate thread, which is replaced if it crashes, so that it takes no other run with it. */
export class ScreenThread {
  readonly #options: ScreenThreadOptions;
  readonly #cancellation = new RunCancellation();
  #thread: Worker | undefined;
  /** Resolves when there is a thread. */
  #started = Promise.withResolvers<void>();
  #startedAt = 0;
  #finish: ((outcome: Outcome) => void) | undefined;
  /** Rejects what the run still waits for. */
  #giveUp = Promise.withResolvers<never>();
  /** Restarts the time limit of the current run. */
  #allowMore: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: ScreenThreadOptions) {
    this.#options = options;
    this.#start();
  }

  /** Never rejects: any error becomes an outcome. Call again only after the previous run has ended. */
  async run(market: SharedMarket, run: ThreadRun): Promise<Outcome> {
    this.#cancellation.withdraw();
    this.#giveUp = Promise.withResolvers<never>();
    this.#giveUp.promise.catch(() => {});
    await this.#started.promise;
    if (this.#stopped) return { status: 'interrupted' };
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    this.#finish = resolve;
    let isOverdue = false;
    const { runTimeoutMs: timeoutMs = RUN_TIMEOUT_MS } = this.#options;
    const overdue = setTimeout(() => {
      isOverdue = true;
      this.cancel();
    }, timeoutMs);
    const hanging = setTimeout(() => this.#endThread(), timeoutMs + this.#giveUpWithinMs);
    this.#allowMore = () => [overdue, hanging].forEach((timer) => timer.refresh());
    this.#post({ kind: 'run', market, run });
    const outcome = await promise;
    this.#options.modelCache?.release(this);
    for (const timer of [overdue, hanging]) clearTimeout(timer);
    this.#allowMore = undefined;
    if (isOverdue && outcome.status === 'interrupted')
      return { status: 'failed', code: 'timeout', message: FAILURE.tooLong.in };
    return outcome;
  }

  /** Runs use another version from now on. */
  forget(version: string): void {
    this.#post({ kind: 'forget', version });
  }

  /** Ends the current run as interrupted as soon as its thread notices. */
  cancel(): void {
    this.#cancellation.ask();
    this.#giveUp.reject(new Error('the run is given up'));
    this.#options.modelCache?.release(this);
  }

  /** Ends the thread and interrupts the current run. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    const thread = this.#thread;
    if (!thread) return;
    const ended = new Promise((resolve) => thread.once('exit', resolve));
    this.cancel();
    this.#post({ kind: 'stop' });
    if (await endedWithin(ended, this.#giveUpWithinMs)) return;
    this.#options.log.warn('the screen thread does not end by itself; it is terminated');
    await thread.terminate();
  }

  get #giveUpWithinMs(): number {
    return this.#options.giveUpWithinMs ?? GIVE_UP_WITHIN_MS;
  }

  #start(): void {
    const {
      trainerThreads,
      patienceMs,
      modelCache,
      yields = false,
      maxHeapMiB = MAX_HEAP_MIB,
      entry = ENTRY,
    } = this.#options;
    const workerData: ThreadStart = {
      trainerThreads,
      patienceMs,
      reusesModels: modelCache !== undefined,
      yields,
      cancellation: this.#cancellation.shared,
    };
    const thread = new Worker(entry, {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMiB, maxYoungGenerationSizeMb: YOUNG_MIB },
    });
    thread.on('message', (message: FromThread) => this.#heard(message, thread));
    thread.on('error', (error) => this.#options.log.error({ err: error }, 'the screen thread crashed'));
    thread.on('exit', () => this.#replace());
    this.#thread = thread;
    this.#startedAt = performance.now();
    this.#started.resolve();
  }

  /** Starts a new thread: immediately, or after a pause if the old one failed soon after its start. */
  #replace(): void {
    this.#lose();
    if (this.#stopped) return this.#settle({ status: 'interrupted' });
    this.#settle({ status: 'failed', code: 'internal_error', message: FAILURE.unexpected.in });
    const pauseMs = performance.now() - this.#startedAt < WELL_AFTER_MS ? RESTART_PAUSE_MS : 0;
    this.#timer = setTimeout(() => this.#start(), pauseMs);
  }

  #lose(): void {
    if (this.#thread) this.#started = Promise.withResolvers<void>();
    this.#thread = undefined;
  }

  #endThread(): void {
    this.#options.log.error('a run took too long and did not stop; its thread is terminated');
    void this.#thread?.terminate();
    this.#lose();
    this.#settle({ status: 'failed', code: 'timeout', message: FAILURE.tooLong.in });
  }

  #heard(message: FromThread, thread: Worker): void {
    const { log, modelCache } = this.#options;
    if (message.kind === 'request') void this.#answer(message, thread);
    else if (message.kind === 'waiting') this.#allowMore?.();
    else if (message.kind === 'trained') modelCache?.trained(message.name, message.cachedModel);
    else {
      if (message.unexpected) log.error({ stack: message.unexpected }, 'a model failed unexpectedly');
      this.#settle(message.outcome);
    }
  }

  /** A run that must give up waits for nothing: broker rows count as unreadable, and a model as one that it must train. */
  async #answer(request: ThreadRequest<ThreadQuery>, thread: Worker): Promise<void> {
    const { brokerRows, modelCache } = this.#options;
    const given = this.#giveUp.promise;
    const find = async (query: ThreadQuery): Promise<unknown> => {
      if (query.what === 'model')
        return this.#cancellation.isRequested
          ? undefined
          : modelCache?.find(this, query.name, query.willLearn);
      const { version, span } = query;
      const rows =
        query.what === 'flow' ? brokerRows.flowOf(version, span) : brokerRows.monthsOf(version, span);
      return Promise.race([rows, given]);
    };
    thread.postMessage(await responseTo(request, find));
  }

  #settle(outcome: Outcome): void {
    this.#finish?.(outcome);
    this.#finish = undefined;
  }

  #post(message: ToThread): void {
    this.#thread?.postMessage(message);
  }
}

import type { ClickHouseAddress } from '#shared/clickhouse/address.ts';
import { Worker } from 'node:worker_threads';
import type { Logger } from '#shared/logger.ts';
import { endedWithin } from '#shared/waiting.ts';
import { FAILURE } from './failure-messages.ts';
import type { SharedLessons } from './lessons/shared-lessons.ts';
import { RunCancellation } from './run-cancellation.ts';
import type {
  DatasetToLoad,
  FromThread,
  Outcome,
  ThreadRun,
  ThreadStart,
  ToThread,
} from './thread-messages.ts';

interface ScreenerOptions {
  clickhouseAt: ClickHouseAddress;
  /** Number of threads that learn together. */
  trainerThreads: number;
  /** How long a run waits for an unavailable ClickHouse. */
  patienceMs: number;
  /** Whether a model learnt from the same numbers is reused; true if absent. */
  reusesModels?: boolean;
  /** Index of the model with which learning ahead begins. */
  preparesFrom?: number;
  log: Logger;
  /**
   * A run that takes longer, not counting its waits for ClickHouse, is ended, and its thread too if the thread does not give up
   * the run.
   */
  runTimeoutMs?: number;
  /** How long a thread may take to give up its run before it is terminated. */
  giveUpWithinMs?: number;
  /** The code of the thread. */
  thread?: URL;
}

const RUN_TIMEOUT_MS = 5 * 60_000;
/** A learning thread notices within milliseconds that it must give up its run. A thread that does not is terminated. */
const GIVE_UP_WITHIN_MS = 1_000;
const RESTART_PAUSE_MS = 1_000;
const WELL_AFTER_MS = 5_000;
const RELOAD_PAUSE_MS = 2_000;
const THREAD = new URL('./screen-thread.ts', import.meta.url);

/** Runs models one at a time in a separate thread, which is replaced if it crashes. */
export class Screener {
  readonly #options: ScreenerOptions;
  readonly #cancellation = new RunCancellation();
  /** Learning ahead gives way to every run. */
  readonly #preparation = new RunCancellation();
  #thread: Worker | undefined;
  /** Resolves when there is a thread. */
  #started = Promise.withResolvers<void>();
  #lessons: SharedLessons | undefined;
  #startedAt = 0;
  #dataset: DatasetToLoad | undefined;
  #loadedVersion: string | undefined;
  #finish: ((outcome: Outcome) => void) | undefined;
  /** Restarts the time limit of the current run. */
  #allowMore: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: ScreenerOptions) {
    this.#options = options;
    this.#start();
  }

  /** The version in memory. */
  get loadedVersion(): string | undefined {
    return this.#loadedVersion;
  }

  /** Shares what the thread learns with other workers from now on. */
  shareLessons(lessons: SharedLessons): void {
    this.#lessons = lessons;
  }

  /** Reads this version into memory ahead of the next run. */
  load(dataset: DatasetToLoad): void {
    this.#dataset = dataset;
    this.#post({ kind: 'load', dataset });
  }

  /** Never rejects: any error becomes an outcome. Call again only after the previous run has ended. */
  async run(run: ThreadRun): Promise<Outcome> {
    const dataset = this.#dataset;
    if (!dataset) return { status: 'failed', code: 'data_unavailable', message: FAILURE.noDataset.in };
    this.#cancellation.withdraw();
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
    this.#preparation.ask();
    this.#post({ kind: 'run', dataset, run });
    const outcome = await promise;
    this.#preparation.withdraw();
    for (const timer of [overdue, hanging]) clearTimeout(timer);
    this.#allowMore = undefined;
    if (isOverdue && outcome.status === 'interrupted')
      return { status: 'failed', code: 'timeout', message: FAILURE.tooLong.in };
    return outcome;
  }

  /** Ends the current run as interrupted as soon as its thread notices. */
  cancel(): void {
    this.#cancellation.ask();
  }

  /** Ends the thread and interrupts the current run. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    const thread = this.#thread;
    if (!thread) return;
    const ended = new Promise((resolve) => thread.once('exit', resolve));
    this.cancel();
    this.#preparation.ask();
    this.#post({ kind: 'stop' });
    if (await endedWithin(ended, this.#giveUpWithinMs)) return;
    this.#options.log.warn('the screen thread does not end by itself; it is terminated');
    await thread.terminate();
  }

  get #giveUpWithinMs(): number {
    return this.#options.giveUpWithinMs ?? GIVE_UP_WITHIN_MS;
  }

  #start(): void {
    const { clickhouseAt, trainerThreads, patienceMs, thread: entry = THREAD } = this.#options;
    const cancellation = this.#cancellation.shared;
    const { reusesModels = true, preparesFrom = 0 } = this.#options;
    const workerData: ThreadStart = {
      clickhouseAt,
      trainerThreads,
      patienceMs,
      reusesModels,
      cancellation,
      preparation: this.#preparation.shared,
      preparesFrom,
    };
    const thread = new Worker(entry, { workerData });
    thread.on('message', (message: FromThread) => this.#heard(message));
    thread.on('error', (error) => this.#options.log.error({ err: error }, 'the screen thread crashed'));
    thread.on('exit', () => this.#replace());
    this.#thread = thread;
    this.#startedAt = performance.now();
    this.#started.resolve();
    if (this.#dataset) this.load(this.#dataset);
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
    this.#loadedVersion = undefined;
  }

  #endThread(): void {
    this.#options.log.error('a run took too long and did not stop; its thread is terminated');
    void this.#thread?.terminate();
    this.#lose();
    this.#settle({ status: 'failed', code: 'timeout', message: FAILURE.tooLong.in });
  }

  #heard(message: FromThread): void {
    const { log } = this.#options;
    if (message.kind === 'loaded') {
      this.#loadedVersion = message.version;
      log.info({ version: message.version, ms: message.tookMs }, 'dataset loaded');
    } else if (message.kind === 'unprepared')
      log.warn(message, 'a model could not be trained ahead of the runs that need it');
    else if (message.kind === 'waiting') this.#allowMore?.();
    else if (message.kind === 'not_loaded') this.#loadLater(message);
    else if (message.kind === 'lesson_wanted') void this.#answerWithLesson(message.name);
    else if (message.kind === 'lesson_learnt') this.#lessons?.offer(message.name, message.serialised);
    else {
      if (message.unexpected) log.error({ stack: message.unexpected }, 'a model failed unexpectedly');
      this.#settle(message.outcome);
    }
  }

  async #answerWithLesson(name: string): Promise<void> {
    this.#post({ kind: 'lesson', name, serialised: await this.#lessons?.fetch(name) });
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

  #post(message: ToThread): void {
    this.#thread?.postMessage(message);
  }
}

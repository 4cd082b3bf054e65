import { setTimeout as sleep } from 'node:timers/promises';
import { describeEnd, launch, type ProcessSpec, type RunningProcess } from './launch.ts';
import { watchLiveness } from './liveness.ts';
import { LogFile } from './log-file.ts';

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 10_000;
/** A process that ran this long was healthy. Its next crash counts as the first one. */
const WELL_AFTER_MS = 30_000;

/** The pause before the next start, given the previous pause and how long the process then ran. */
export function nextPauseMs(previousPauseMs: number | undefined, livedMs: number): number {
  if (previousPauseMs === undefined || livedMs >= WELL_AFTER_MS) return FIRST_PAUSE_MS;
  return Math.min(previousPauseMs * 2, MAX_PAUSE_MS);
}

interface SupervisorEvents {
  /** The process crashed, or was killed because it no longer responded. One sentence for the terminal. */
  ended: (sentence: string) => void;
  /** The process cannot work for a reason outside it. One sentence for the terminal. */
  hindered: (sentence: string) => void;
  /** The process serves again. One sentence for the terminal. */
  back: (sentence: string) => void;
  /** The process has a new id; undefined while it is down. */
  pidChanged: (name: string, pid: number | undefined) => void;
}

/** Keeps one process of the fleet running, and doing what its liveness probes require, until it is stopped. */
export class Supervisor {
  readonly spec: ProcessSpec;
  readonly #events: SupervisorEvents;
  readonly #log: LogFile;
  readonly #stopping = new AbortController();
  #starting: Promise<RunningProcess> | undefined;
  #running: RunningProcess | undefined;
  #watching: Promise<void> | undefined;

  constructor(spec: ProcessSpec, events: SupervisorEvents) {
    this.spec = spec;
    this.#events = events;
    this.#log = new LogFile(spec.logFile);
  }

  /** Resolves when the process serves. A first start that fails is not retried, because its reason will not go away. */
  async start(): Promise<void> {
    this.#stopping.signal.throwIfAborted();
    const startedAt = performance.now();
    this.#starting = this.#launch();
    const running = await this.#starting;
    try {
      await running.ready;
      this.#stopping.signal.throwIfAborted();
    } catch (error) {
      await running.stop();
      throw error;
    }
    this.#watching = this.#watch(running, startedAt);
  }

  /** From now on the process is not restarted. */
  retire(): void {
    this.#stopping.abort();
  }

  /** Stops the process permanently. Resolves when it has ended. */
  async stop(): Promise<void> {
    this.retire();
    await this.#starting?.catch(() => {});
    await this.#running?.stop();
    await this.#watching;
  }

  /** Kills the process immediately. */
  kill(): void {
    this.retire();
    this.#running?.kill();
  }

  async #launch(): Promise<RunningProcess> {
    const running = await launch(this.spec, this.#log);
    this.#running = running;
    this.#events.pidChanged(this.spec.name, running.pid);
    void running.exited.then(() => this.#events.pidChanged(this.spec.name, undefined));
    if (this.#stopping.signal.aborted) await running.stop();
    return running;
  }

  async #watch(first: RunningProcess, firstStartedAt: number): Promise<void> {
    let ending = await this.#endOf(first);
    let startedAt = firstStartedAt;
    let pauseMs: number | undefined;
    while (!this.#stopping.signal.aborted) {
      pauseMs = nextPauseMs(pauseMs, performance.now() - startedAt);
      this.#events.ended(`${this.spec.title} ${ending}; it restarts in ${pauseMs / 1000} s.`);
      await sleep(pauseMs, undefined, { signal: this.#stopping.signal }).catch(() => {});
      if (this.#stopping.signal.aborted) return;
      startedAt = performance.now();
      ending = await this.#liveAgain();
    }
  }

  /** Runs the process once more. Resolves when it ends, with a description of the end. Stops it if it never gets ready. */
  async #liveAgain(): Promise<string> {
    try {
      const running = await this.#launch();
      const isReady = await running.ready.then(
        () => true,
        () => false,
      );
      if (!isReady) running.kill();
      else if (!this.#stopping.signal.aborted) this.#events.back(`${this.spec.title} is back.`);
      return isReady ? await this.#endOf(running) : describeEnd(await running.exited);
    } catch (error) {
      return `could not be started (${(error as Error).message})`;
    }
  }

  /** Waits for a ready process to end and describes how: on its own, or killed because it no longer responded. */
  async #endOf(running: RunningProcess): Promise<string> {
    const { title, liveness = [] } = this.spec;
    let dead: string | undefined;
    const stopWatching = watchLiveness(liveness, {
      dead: (sentence) => {
        if (this.#stopping.signal.aborted) return;
        dead = `${sentence} and was killed`;
        running.kill();
      },
      excused: (sentence) => this.#events.hindered(`${title} ${sentence}.`),
    });
    const end = await running.exited;
    stopWatching();
    return dead ?? describeEnd(end);
  }
}

import type { Logger } from './logger.ts';

/** How long an orderly stop may take before the process ends anyway; under the supervisor's patience. */
const STOP_DEADLINE_MS = 7_000;

type Stop = () => unknown;

/** Runs what was deferred, last first, once, when the process is told to stop. */
export class Shutdown {
  readonly #steps: { name: string; stop: Stop }[] = [];
  readonly #log: Logger;
  #stopping: Promise<void> | undefined;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Registers how to stop something that has just been started. */
  defer(name: string, stop: Stop): void {
    this.#steps.push({ name, stop });
  }

  /** Stops on SIGTERM, SIGINT, and when a supervising parent process is gone. */
  listen(): void {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void this.exit(signal, 0));
    process.on('disconnect', () => void this.exit('the supervisor is gone', 0));
  }

  /** Stops in order, then ends the process. */
  async exit(reason: string, exitCode: number): Promise<void> {
    this.#log.info({ reason }, 'stopping');
    const overdue = setTimeout(() => {
      this.#log.error('not stopped in time, ending anyway');
      process.exit(1);
    }, STOP_DEADLINE_MS);
    await (this.#stopping ??= this.#stopAll());
    clearTimeout(overdue);
    process.exit(exitCode);
  }

  async #stopAll(): Promise<void> {
    for (const { name, stop } of this.#steps.toReversed()) {
      try {
        await stop();
      } catch (error) {
        this.#log.warn({ err: error }, `${name} did not stop cleanly`);
      }
    }
  }
}

/**
 * Decides who may screen: runs immediately, and days of backfills while no run waits. A run ends the current day, which starts
 * again afterwards. If that day may not be ended, the run waits until it is done.
 */
export class ScreenTurns {
  readonly #interrupt: () => void;
  #day: Promise<unknown> | undefined;
  #mayEndDay = true;
  /** Resolves when no run wants to screen any more; undefined while none does. */
  #runs: PromiseWithResolvers<void> | undefined;

  /** @param interrupt ends the current screening */
  constructor(interrupt: () => void) {
    this.#interrupt = interrupt;
  }

  /** Ends the current day, also one that runs may not end. A run that is screened continues. */
  endDay(): void {
    if (this.#day) this.#interrupt();
  }

  /** Call for one run at a time. */
  async forRun<T>(screen: () => Promise<T>): Promise<T> {
    this.#runs = Promise.withResolvers();
    try {
      if (this.#mayEndDay) this.endDay();
      await this.#day;
      return await screen();
    } finally {
      this.#runs.resolve();
      this.#runs = undefined;
    }
  }

  /** Call for one day at a time. Returns whether a run ended it. */
  async forDay<T>(
    screen: () => Promise<T>,
    { mayBeEnded = true } = {},
  ): Promise<{ value: T; wasEnded: boolean }> {
    while (this.#runs) await this.#runs.promise;
    this.#mayEndDay = mayBeEnded;
    const screening = screen();
    this.#day = screening.catch(() => {});
    try {
      const value = await screening;
      return { value, wasEnded: mayBeEnded && this.#runs !== undefined };
    } finally {
      this.#day = undefined;
    }
  }
}

/**
 * Who may screen: runs at once, days of backfills while no run wants to. A run ends the day that is under way, which
 * begins again after it. A day that may not be ended keeps a run waiting for as long as it takes.
 */
export class ScreenTurns {
  readonly #endDay: () => void;
  #day: Promise<unknown> | undefined;
  #mayEndDay = true;
  /** Resolves when no run wants to screen; undefined while none does. */
  #runs: PromiseWithResolvers<void> | undefined;

  /** @param endDay gives up what is being screened */
  constructor(endDay: () => void) {
    this.#endDay = endDay;
  }

  /** One at a time. */
  async forRun<T>(screen: () => Promise<T>): Promise<T> {
    this.#runs = Promise.withResolvers();
    try {
      if (this.#day && this.#mayEndDay) this.#endDay();
      await this.#day;
      return await screen();
    } finally {
      this.#runs.resolve();
      this.#runs = undefined;
    }
  }

  /** One at a time. Says whether a run ended it. */
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

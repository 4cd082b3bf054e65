import { returnMemory } from '#shared/process/return-memory.ts';

/** V8 first has to collect what a run leaves behind. While runs follow each other, this is also how often memory goes back. */
const PAUSE_MS = 3_000;

/** Gives memory that runs have freed back to the system soon after them. */
export class FreedMemory {
  #timer: NodeJS.Timeout | undefined;

  /** Call after a run. */
  returnSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void returnMemory();
    }, PAUSE_MS).unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

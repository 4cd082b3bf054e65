import { returnMemory } from '#shared/process/return-memory.ts';

/** V8 first has to collect what a run leaves behind. While runs follow each other, this is also how often memory goes back. */
const PAUSE_MS = 3_000;
/** By then the threads that only some runs need have ended: trainers, and the one that reads markets. */
const QUIET_MS = 15_000;

/** Gives memory that runs have freed back to the system: soon after them, and again when none has followed. */
export class FreedMemory {
  #soon: NodeJS.Timeout | undefined;
  #quiet: NodeJS.Timeout | undefined;

  /** Call after a run. */
  returnSoon(): void {
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      void returnMemory();
    }, PAUSE_MS).unref();
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => void returnMemory(), QUIET_MS).unref();
  }

  stop(): void {
    clearTimeout(this.#soon);
    clearTimeout(this.#quiet);
  }
}

/** Asks the screen thread to give its run up, also while it is too busy learning to read its messages. */
export class RunCancellation {
  readonly #word: Int32Array<SharedArrayBuffer>;

  /** @param shared of the cancellation in another thread that this one is to be the same as */
  constructor(shared = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.#word = new Int32Array(shared);
  }

  get shared(): SharedArrayBuffer {
    return this.#word.buffer;
  }

  get isAsked(): boolean {
    return Atomics.load(this.#word, 0) !== 0;
  }

  ask(): void {
    Atomics.store(this.#word, 0, 1);
  }

  /** Only while no run is under way. */
  withdraw(): void {
    Atomics.store(this.#word, 0, 0);
  }
}

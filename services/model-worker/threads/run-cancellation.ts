/** Asks the screen thread to give up its run, even while the thread is too busy training to read messages. */
export class RunCancellation {
  readonly #word: Int32Array<SharedArrayBuffer>;

  /** @param shared the memory of this cancellation in another thread */
  constructor(shared = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.#word = new Int32Array(shared);
  }

  get shared(): SharedArrayBuffer {
    return this.#word.buffer;
  }

  get isRequested(): boolean {
    return Atomics.load(this.#word, 0) !== 0;
  }

  ask(): void {
    Atomics.store(this.#word, 0, 1);
  }

  /** Call only while there is no run. */
  withdraw(): void {
    Atomics.store(this.#word, 0, 0);
  }
}

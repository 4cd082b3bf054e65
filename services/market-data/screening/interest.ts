/** Whoever waits for a piece of work that several callers share. Once all of them have left, it is unwanted. */
export class Interest {
  readonly #unwanted = new AbortController();
  readonly #over = new AbortController();
  #callers = 0;

  /** Aborts once all have left before the end. */
  get unwanted(): AbortSignal {
    return this.#unwanted.signal;
  }

  /** Nobody gives up what has ended. */
  endsWith(work: Promise<unknown>): void {
    const end = () => this.#over.abort();
    work.then(end, end);
  }

  /** @param caller aborts when this caller leaves */
  add(caller: AbortSignal): void {
    if (caller.aborted) return;
    this.#callers++;
    caller.addEventListener('abort', () => this.#remove(), { once: true, signal: this.#over.signal });
  }

  #remove(): void {
    this.#callers--;
    if (this.#callers === 0) this.#unwanted.abort();
  }
}

/**
 * A number of places for work of several keys. Who waits for one is served in turn by key, so that a key with much work delays another
 * by one piece of its work and not by all of it. Pieces should therefore be short.
 */
export class FairTurns {
  #free: number;
  /** What begins with its turn, by key. Keys are in the order of their turns. */
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #maxWaiting: number;

  /** @param maxWaiting pieces of each key */
  constructor(places: number, maxWaiting: number) {
    this.#free = places;
    this.#maxWaiting = maxWaiting;
  }

  /**
   * Does a piece of work once it is the key's turn.
   * @throws the reason of the signal if the caller has left by then, and Error if too many of the key's wait already
   */
  async take<T>(key: string, caller: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await this.#turnOf(key);
    try {
      caller.throwIfAborted();
      return await work();
    } finally {
      this.#giveOn();
    }
  }

  #turnOf(key: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const own = this.#waiting.get(key);
    if (own && own.length >= this.#maxWaiting) throw new Error('too much waits for its turn');
    if (own) own.push(resolve);
    else this.#waiting.set(key, [resolve]);
    return promise;
  }

  /** Gives the place to the next key, which then stands behind all others. */
  #giveOn(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#free++;
      return;
    }
    const [key, turns] = next;
    const begin = turns.shift()!;
    this.#waiting.delete(key);
    if (turns.length > 0) this.#waiting.set(key, turns);
    begin();
  }
}

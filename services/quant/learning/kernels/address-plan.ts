const CACHE_LINE = 64;

/** Hands out stretches of a memory one after the other, each beginning on a cache line of its own. */
export class AddressPlan {
  #end: number;

  constructor(start = 0) {
    this.#end = start;
  }

  /** Address of the next `bytes` bytes. */
  take(bytes: number): number {
    const address = Math.ceil(this.#end / CACHE_LINE) * CACHE_LINE;
    this.#end = address + bytes;
    return address;
  }

  /** The first byte that nobody has. */
  get end(): number {
    return this.#end;
  }
}

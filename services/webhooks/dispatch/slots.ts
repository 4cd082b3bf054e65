interface SlotsOptions {
  /** Endpoints that are attempted at once. */
  endpoints: number;
  /** The part of them that may fail or be slow. */
  suspects: number;
}

/** Counts the endpoints that this copy attempts, so that those that hang never use up the slots of the others. */
export class Slots {
  readonly #options: SlotsOptions;
  #good = 0;
  #suspects = 0;

  constructor(options: SlotsOptions) {
    this.#options = options;
  }

  get freeForGood(): number {
    return this.#options.endpoints - this.#good - this.#suspects;
  }

  get freeForSuspects(): number {
    return Math.min(this.#options.suspects - this.#suspects, this.freeForGood);
  }

  /** Takes a slot. Returns a function that gives it back. */
  take(isSuspect: boolean): () => void {
    const add = (count: number) => {
      if (isSuspect) this.#suspects += count;
      else this.#good += count;
    };
    add(1);
    return () => add(-1);
  }
}

/** Lets a few writes run at once; others wait in the order in which they came. */
export class WriteLimit {
  #free: number;
  readonly #line: (() => void)[] = [];

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  async through<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#line.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#line.shift();
      if (next) next();
      else this.#free++;
    }
  }
}

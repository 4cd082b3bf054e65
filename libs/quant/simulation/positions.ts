import type { Trade } from './journal.ts';

const NONE = -1;

/**
 * Positions that accounts hold or have ordered, in columns. Each has a slot, which it keeps until it ends: those of an account, as many
 * as it may have positions, are one after the other.
 */
export class Positions {
  /** Index of the ticker; -1 in a free slot. */
  readonly stock: Int32Array;
  /** Where `OrderOutcomes` finds what becomes of it. */
  readonly place: Int32Array;
  /** 0 until an order is filled. */
  readonly shares: Float64Array;
  /** Whose slot it is. */
  readonly account: Int32Array;
  /** What is written down of it; empty for accounts of which nothing is. */
  readonly trade: Trade[] = [];
  readonly #most: number;
  /** For each account: how many slots are free, and which: the first of its entries. */
  readonly #freeCount: Int32Array;
  readonly #free: Int32Array;

  /** @param most positions of an account */
  constructor(accounts: number, most: number) {
    const slots = accounts * most;
    this.#most = most;
    this.stock = new Int32Array(slots);
    this.place = new Int32Array(slots);
    this.shares = new Float64Array(slots);
    this.account = Int32Array.from({ length: slots }, (_, slot) => Math.floor(slot / most));
    this.#freeCount = new Int32Array(accounts);
    this.#free = new Int32Array(slots);
  }

  /** Ends all positions. */
  clear(): void {
    this.stock.fill(NONE);
    this.#freeCount.fill(this.#most);
    for (let slot = 0; slot < this.#free.length; slot++) this.#free[slot] = slot;
  }

  freeCount(account: number): number {
    return this.#freeCount[account]!;
  }

  /** Takes a free slot of the account. */
  add(account: number, stock: number, place: number): number {
    const slot = this.#free[account * this.#most + --this.#freeCount[account]!]!;
    this.stock[slot] = stock;
    this.place[slot] = place;
    this.shares[slot] = 0;
    return slot;
  }

  remove(slot: number): void {
    const account = this.account[slot]!;
    this.stock[slot] = NONE;
    this.#free[account * this.#most + this.#freeCount[account]!++] = slot;
  }

  has(account: number, stock: number): boolean {
    const first = account * this.#most;
    const end = first + this.#most;
    for (let slot = first; slot < end; slot++) if (this.stock[slot] === stock) return true;
    return false;
  }

  /**
   * What the positions of an account are worth.
   * @param counts which stocks count; all if absent
   */
  valueOf(account: number, closes: Float32Array, counts?: (stock: number) => boolean): number {
    const first = account * this.#most;
    const end = first + this.#most;
    let value = 0;
    for (let slot = first; slot < end; slot++) {
      const stock = this.stock[slot]!;
      if (stock !== NONE && (!counts || counts(stock))) value += this.shares[slot]! * closes[stock]!;
    }
    return value;
  }
}

import type { DaySpan } from '../panel/ranges.ts';

const NONE = -1;

/** Slots that wait for a day: of each day a linked list, so that nobody searches for those whose day has come. */
export class SlotsByDay {
  readonly #span: DaySpan;
  /** For each day of the span: the slot that was added last. */
  readonly #first: Int32Array;
  /** For each slot: the one that was added to its day before. */
  readonly #next: Int32Array;

  constructor(span: DaySpan, slots: number) {
    this.#span = span;
    this.#first = new Int32Array(span.lastDay + 1 - span.firstDay);
    this.#next = new Int32Array(slots);
  }

  clear(): void {
    this.#first.fill(NONE);
  }

  /** A day after the span never comes. */
  add(slot: number, day: number): void {
    if (day > this.#span.lastDay) return;
    const at = day - this.#span.firstDay;
    this.#next[slot] = this.#first[at]!;
    this.#first[at] = slot;
  }

  remove(slot: number, day: number): void {
    const others: number[] = [];
    for (let one = this.takeFirst(day); one !== NONE; one = this.takeFirst(day))
      if (one !== slot) others.push(one);
    for (const one of others) this.add(one, day);
  }

  /** -1 if no slot waits for the day any more. */
  takeFirst(day: number): number {
    if (day > this.#span.lastDay) return NONE;
    const at = day - this.#span.firstDay;
    const slot = this.#first[at]!;
    if (slot !== NONE) this.#first[at] = this.#next[slot]!;
    return slot;
  }
}

/** Steps of all connections together. A step takes some 0.1 ms, and what it begins about as much again. */
export const MAX_STEPS = 64;

/** One piece of work. Returns whether there may be more to do at once. */
export type Step = () => boolean;

/**
 * Divides the turns of the event loop among the connections. In each turn a few steps are taken, one for each connection in
 * order, over and over. However many connections have sent however much, answers, timers and health checks get their turn in
 * between, and a connection with a single request waits for one step of each of the others.
 */
export class Turns {
  readonly #line = new Set<Step>();
  #next: NodeJS.Immediate | undefined;

  /** Puts a step in the line, unless it is in it. It is taken again for as long as it has more to do. */
  add(step: Step): void {
    this.#line.add(step);
    this.#next ??= setImmediate(() => this.#serve());
  }

  remove(step: Step): void {
    this.#line.delete(step);
  }

  #serve(): void {
    this.#next = undefined;
    let taken = 0;
    // The loop also visits steps that are added meanwhile, at the end of the line.
    for (const step of this.#line) {
      if (taken++ === MAX_STEPS) break;
      this.#line.delete(step);
      if (step()) this.#line.add(step);
    }
    if (this.#line.size > 0) this.#next ??= setImmediate(() => this.#serve());
  }
}

import type { Lesson, Lessons } from '#screens/learnt/lessons.ts';

/** Lessons of the runs of a thread, the latest used, within bounds. */
export class KeptLessons implements Lessons {
  readonly #maxBytes: number;
  /** Latest used last. */
  readonly #kept = new Map<string, { lesson: Lesson; bytes: number }>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Keys say what a lesson is, so that what is found under one is what was kept under it. */
  find<L extends Lesson>(key: string): L | undefined {
    const found = this.#kept.get(key);
    if (!found) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, found);
    return found.lesson as L;
  }

  /** One that is larger than the bound is not kept. */
  keep(key: string, lesson: Lesson, bytes: number): void {
    this.#forget(key);
    this.#kept.set(key, { lesson, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    this.#bytes -= this.#kept.get(key)?.bytes ?? 0;
    this.#kept.delete(key);
  }
}

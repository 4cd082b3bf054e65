import { deserialize, serialize } from 'node:v8';
import { bytesOf, type Lesson, type Lessons } from '#screens/learnt/lessons.ts';
import { digestOf } from '#screens/learnt/provenance.ts';
import type { SharedLessons } from './shared-lessons.ts';

/** Lessons of the runs of a thread, the latest used, within bounds; those of other workers where it has none. */
export class KeptLessons implements Lessons {
  readonly #maxBytes: number;
  readonly #shared: SharedLessons | undefined;
  /** Latest used last. */
  readonly #kept = new Map<string, { lesson: Lesson; bytes: number }>();
  #bytes = 0;

  constructor(maxBytes: number, shared?: SharedLessons) {
    this.#maxBytes = maxBytes;
    this.#shared = shared;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Keys say what a lesson is, so that what is found under one is what was kept under it. */
  async find<L extends Lesson>(key: string): Promise<L | undefined> {
    const found = this.#kept.get(key)?.lesson ?? (await this.#fetched(key));
    if (found) this.#put(key, found);
    return found as L | undefined;
  }

  /** Keeps it, and offers it to the other workers. One that is larger than the bound is not kept. */
  keep(key: string, lesson: Lesson): void {
    this.#put(key, lesson);
    this.#shared?.offer(nameOf(key), serialize(lesson));
  }

  async #fetched(key: string): Promise<Lesson | undefined> {
    const serialised = await this.#shared?.fetch(nameOf(key));
    return serialised && (deserialize(serialised) as Lesson);
  }

  #put(key: string, lesson: Lesson): void {
    this.#forget(key);
    const bytes = bytesOf(lesson);
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

/** Keys are long, and hold what a subject of NATS may not. */
function nameOf(key: string): string {
  return digestOf([Buffer.from(key)]);
}

import { deserialize, serialize } from 'node:v8';
import { bytesOf, type Lesson, type Lessons } from '#models/learnt/lessons.ts';
import { digestOf } from '#models/learnt/provenance.ts';
import type { SharedLessons } from './shared-lessons.ts';

/** The most recently used lessons of a thread, up to a size limit. Lessons that it lacks come from other workers. */
export class KeptLessons implements Lessons {
  readonly #maxBytes: number;
  readonly #shared: SharedLessons | undefined;
  /** Least recently used first. */
  readonly #kept = new Map<string, { lesson: Lesson; bytes: number }>();
  #bytes = 0;

  constructor(maxBytes: number, shared?: SharedLessons) {
    this.#maxBytes = maxBytes;
    this.#shared = shared;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** A key identifies a lesson, so the lesson found under a key has the type that was kept under it. */
  async find<L extends Lesson>(key: string): Promise<L | undefined> {
    const found = this.#kept.get(key)?.lesson ?? (await this.#fetched(key));
    if (found) this.#put(key, found);
    return found as L | undefined;
  }

  /** Keeps the lesson and offers it to other workers. A lesson larger than the limit is not kept. */
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

/** Hashed, because keys are long and contain characters that a NATS subject must not. */
function nameOf(key: string): string {
  return digestOf([Buffer.from(key)]);
}

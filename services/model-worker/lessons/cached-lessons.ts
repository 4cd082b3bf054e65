import type { Lesson } from '#models/learnt/lessons.ts';
import type { ComputedCache } from '../cache/computed-cache.ts';
import type { SharedLessons } from './process-lessons.ts';

/** Lessons in files, for the next process on this machine, and those of other workers. */
export class CachedLessons implements SharedLessons {
  readonly #cache: ComputedCache;
  readonly #others: SharedLessons;

  constructor(cache: ComputedCache, others: SharedLessons) {
    this.#cache = cache;
    this.#others = others;
  }

  async fetch(name: string): Promise<Lesson | undefined> {
    return (await this.#cache.find<Lesson>(name)) ?? (await this.#others.fetch(name));
  }

  offer(name: string, lesson: Lesson): void {
    void this.#cache.keep(name, lesson);
    this.#others.offer(name, lesson);
  }
}

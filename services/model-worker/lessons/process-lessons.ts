import { bytesOf, type Lesson } from '#models/learnt/lessons.ts';
import { inSharedMemory } from '../shared-memory.ts';

/** Lessons of other workers. Neither call ever rejects: a worker that finds no lesson learns again. */
export interface SharedLessons {
  fetch: (name: string) => Promise<Lesson | undefined>;
  offer: (name: string, lesson: Lesson) => void;
}

/** A lesson that a thread is about to learn, and the threads that wait for it. */
interface Learning {
  learner: object;
  waiting: { thread: object; resolve: (lesson: Lesson | undefined) => void }[];
}

/**
 * The lessons of a process, in memory that its threads share: the most recently used ones, up to a size limit. A lesson is
 * learnt by one thread at a time. Whoever needs the same one meanwhile waits for it.
 */
export class ProcessLessons {
  readonly #maxBytes: number;
  readonly #others: SharedLessons | undefined;
  /** Least recently used first. */
  readonly #kept = new Map<string, { lesson: Lesson; bytes: number }>();
  readonly #learnings = new Map<string, Learning>();
  #bytes = 0;

  constructor(maxBytes: number, others?: SharedLessons) {
    this.#maxBytes = maxBytes;
    this.#others = others;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /**
   * The lesson of this name. Undefined if there is none: with `willLearn`, the thread must then learn it, and call `learnt` or
   * `release`.
   */
  async find(thread: object, name: string, willLearn: boolean): Promise<Lesson | undefined> {
    const kept = this.#kept.get(name)?.lesson;
    if (kept) {
      this.#keep(name, kept);
      return kept;
    }
    const learning = this.#learnings.get(name);
    if (learning) return new Promise((resolve) => learning.waiting.push({ thread, resolve }));
    if (willLearn) this.#learnings.set(name, { learner: thread, waiting: [] });
    const fetched = await this.#others?.fetch(name);
    if (!fetched) return undefined;
    const lesson = inSharedMemory(fetched);
    this.#keep(name, lesson);
    this.#tell(name, lesson);
    return lesson;
  }

  /** Keeps a lesson, hands it to those who wait, and offers it to other workers. One larger than the limit is not kept. */
  learnt(name: string, lesson: Lesson): void {
    this.#keep(name, lesson);
    this.#tell(name, lesson);
    this.#others?.offer(name, lesson);
  }

  /** The thread’s run has ended: what it did not learn, the next one that waits must learn, and it waits for nothing. */
  release(thread: object): void {
    for (const [name, learning] of this.#learnings) {
      const isIts = ({ thread: waiting }: { thread: object }) => waiting === thread;
      learning.waiting.filter(isIts).forEach(({ resolve }) => resolve(undefined));
      learning.waiting = learning.waiting.filter((waiting) => !isIts(waiting));
      if (learning.learner !== thread) continue;
      const next = learning.waiting.shift();
      if (next) learning.learner = next.thread;
      else this.#learnings.delete(name);
      next?.resolve(undefined);
    }
  }

  #tell(name: string, lesson: Lesson): void {
    for (const { resolve } of this.#learnings.get(name)?.waiting ?? []) resolve(lesson);
    this.#learnings.delete(name);
  }

  #keep(name: string, lesson: Lesson): void {
    this.#forget(name);
    const bytes = bytesOf(lesson);
    this.#kept.set(name, { lesson, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#forget(oldest);
    }
  }

  #forget(name: string): void {
    this.#bytes -= this.#kept.get(name)?.bytes ?? 0;
    this.#kept.delete(name);
  }
}

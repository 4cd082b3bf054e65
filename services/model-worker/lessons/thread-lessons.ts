import type { Lesson, Lessons } from '#models/learnt/lessons.ts';
import { digestOf } from '#models/learnt/provenance.ts';
import { inSharedMemory } from '../shared-memory.ts';

interface ThreadLessonsOptions {
  /** Resolves to the lesson of this name or, if this thread must learn it, to undefined. */
  find: (name: string, willLearn: boolean) => Promise<Lesson | undefined>;
  learnt: (name: string, lesson: Lesson) => void;
}

/** The lessons of the process as a screen thread sees them. */
export class ThreadLessons {
  readonly #options: ThreadLessonsOptions;

  constructor(options: ThreadLessonsOptions) {
    this.#options = options;
  }

  /**
   * The lessons for runs on a market. A day of a backfill keeps nothing, because others are unlikely to need what it learns.
   * Keys identify lessons of one version, and the fingerprint tells versions of the same name in other stores apart.
   */
  of({ fingerprint }: { fingerprint: string }, { isHistory = false } = {}): Lessons {
    const { find, learnt } = this.#options;
    // Hashed, because keys are long and contain characters that a NATS subject must not.
    const nameOf = (key: string) => digestOf([Buffer.from(`${fingerprint} ${key}`)]);
    return {
      // A key identifies a lesson, so the lesson found under a key has the type that was kept under it.
      find: async <L extends Lesson>(key: string) => (await find(nameOf(key), !isHistory)) as L | undefined,
      keep: (key, lesson) => {
        if (!isHistory) learnt(nameOf(key), inSharedMemory(lesson));
      },
    };
  }
}

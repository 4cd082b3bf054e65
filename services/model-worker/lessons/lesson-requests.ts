import type { SharedLessons } from './kept-lessons.ts';
import type { FromThread } from '../thread-messages.ts';

/** What the screen thread asks its main thread for, which alone speaks to NATS and always answers. */
export class LessonRequests implements SharedLessons {
  readonly #post: (message: FromThread) => void;
  readonly #waiting = new Map<string, PromiseWithResolvers<Uint8Array | undefined>>();

  constructor(post: (message: FromThread) => void) {
    this.#post = post;
  }

  fetch(name: string): Promise<Uint8Array | undefined> {
    const waiting = this.#waiting.get(name) ?? Promise.withResolvers<Uint8Array | undefined>();
    if (!this.#waiting.has(name)) this.#post({ kind: 'lesson_wanted', name });
    this.#waiting.set(name, waiting);
    return waiting.promise;
  }

  answer(name: string, serialised: Uint8Array | undefined): void {
    this.#waiting.get(name)?.resolve(serialised);
    this.#waiting.delete(name);
  }

  offer(name: string, serialised: Uint8Array): void {
    this.#post({ kind: 'lesson_learnt', name, serialised });
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import type { Logger } from '#shared/logger.ts';
import type { Nats } from '#shared/nats/connection.ts';
import { subjects } from '#shared/nats/subjects.ts';
import type { FromThread } from '../thread-messages.ts';

/** Exchanges lessons between workers. Neither call ever rejects: a worker that finds no lesson learns again. */
export interface SharedLessons {
  /** The lesson that a worker offered under this name, in V8's serialisation format. */
  fetch: (name: string) => Promise<Uint8Array | undefined>;
  offer: (name: string, serialised: Uint8Array) => void;
}

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** How long a run waits for a lesson that another worker may have. Learning again takes about as long. */
export const FETCH_WITHIN_MS = 250;
const OFFER_WITHIN_MS = 2_000;

/**
 * Lessons in the stream LESSONS, compressed. Only workers may publish there, so every lesson read was written by a worker of
 * this fleet.
 */
export class LessonStream implements SharedLessons {
  readonly #nats: Nats;
  readonly #log: Logger;

  constructor(nats: Nats, log: Logger) {
    this.#nats = nats;
    this.#log = log;
  }

  async fetch(name: string): Promise<Uint8Array | undefined> {
    try {
      const query = { last_by_subj: subjects.lesson(name) };
      const message = await Promise.race([
        this.#nats.jsm.direct.getMessage('LESSONS', query),
        sleep(FETCH_WITHIN_MS, undefined, { ref: false }),
      ]);
      return message ? await decompress(message.data) : undefined;
    } catch (error) {
      this.#log.debug({ reason: (error as Error).message }, 'lessons of other workers cannot be read');
      return undefined;
    }
  }

  offer(name: string, serialised: Uint8Array): void {
    void this.#publish(name, serialised).catch((error: Error) => {
      this.#log.warn({ reason: error.message }, 'a lesson could not be shared with other workers');
    });
  }

  async #publish(name: string, serialised: Uint8Array): Promise<void> {
    const { js, connection } = this.#nats;
    const message = await compress(serialised);
    const limit = connection.info?.max_payload ?? Infinity;
    if (message.length > limit)
      throw new RangeError(`it has ${message.length} bytes, and NATS takes ${limit}`);
    await js.publish(subjects.lesson(name), message, { timeout: OFFER_WITHIN_MS });
  }
}

/** Forwards the screen thread's requests to the main thread, which alone speaks to NATS and always answers. */
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

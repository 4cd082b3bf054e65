import { setTimeout as sleep } from 'node:timers/promises';
import { deserialize, serialize } from 'node:v8';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import type { Logger } from '#shared/logger.ts';
import type { Nats } from '#shared/nats/connection.ts';
import { subjects } from '#shared/nats/subjects.ts';
import type { Lesson } from '#models/learnt/lessons.ts';
import type { SharedLessons } from './process-lessons.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** How long a run waits for a lesson that another worker may have. Learning again takes about as long. */
export const FETCH_WITHIN_MS = 250;
const OFFER_WITHIN_MS = 2_000;

/**
 * Lessons in the stream LESSONS, in V8's serialisation format, compressed. Only workers may publish there, so every lesson
 * read was written by a worker of this fleet.
 */
export class LessonStream implements SharedLessons {
  readonly #nats: Nats;
  readonly #log: Logger;

  constructor(nats: Nats, log: Logger) {
    this.#nats = nats;
    this.#log = log;
  }

  async fetch(name: string): Promise<Lesson | undefined> {
    try {
      const query = { last_by_subj: subjects.lesson(name) };
      const message = await Promise.race([
        this.#nats.jsm.direct.getMessage('LESSONS', query),
        sleep(FETCH_WITHIN_MS, undefined, { ref: false }),
      ]);
      return message ? (deserialize(await decompress(message.data)) as Lesson) : undefined;
    } catch (error) {
      this.#log.debug({ reason: (error as Error).message }, 'lessons of other workers cannot be read');
      return undefined;
    }
  }

  offer(name: string, lesson: Lesson): void {
    void this.#publish(name, lesson).catch((error: Error) => {
      this.#log.warn({ reason: error.message }, 'a lesson could not be shared with other workers');
    });
  }

  async #publish(name: string, lesson: Lesson): Promise<void> {
    const { js, connection } = this.#nats;
    const message = await compress(serialize(lesson));
    const limit = connection.info?.max_payload ?? Infinity;
    if (message.length > limit)
      throw new RangeError(`it has ${message.length} bytes, and NATS takes ${limit}`);
    await js.publish(subjects.lesson(name), message, { timeout: OFFER_WITHIN_MS });
  }
}

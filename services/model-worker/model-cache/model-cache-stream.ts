import { setTimeout as sleep } from 'node:timers/promises';
import { deserialize, serialize } from 'node:v8';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import type { Logger } from '#platform/operations/logger.ts';
import type { Nats } from '#platform/nats/connection.ts';
import { subjects } from '#platform/nats/subjects.ts';
import type { CachedModel } from '#models/trained/model-cache.ts';
import type { SharedModelCache } from './process-model-cache.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** How long a run waits for a model that another worker may have. Training it again takes about as long. */
export const FETCH_WITHIN_MS = 250;
const OFFER_WITHIN_MS = 2_000;

/**
 * Cached models in the stream LESSONS, in V8's serialisation format, compressed. Only workers may publish there, so every model
 * read was written by a worker of this fleet.
 */
export class ModelCacheStream implements SharedModelCache {
  readonly #nats: Nats;
  readonly #log: Logger;

  constructor(nats: Nats, log: Logger) {
    this.#nats = nats;
    this.#log = log;
  }

  async fetch(name: string): Promise<CachedModel | undefined> {
    try {
      const query = { last_by_subj: subjects.cachedModel(name) };
      const message = await Promise.race([
        this.#nats.jsm.direct.getMessage('LESSONS', query),
        sleep(FETCH_WITHIN_MS, undefined, { ref: false }),
      ]);
      return message ? (deserialize(await decompress(message.data)) as CachedModel) : undefined;
    } catch (error) {
      this.#log.debug({ reason: (error as Error).message }, 'models of other workers cannot be read');
      return undefined;
    }
  }

  offer(name: string, cachedModel: CachedModel): void {
    void this.#publish(name, cachedModel).catch((error: Error) => {
      this.#log.warn({ reason: error.message }, 'a model could not be shared with other workers');
    });
  }

  async #publish(name: string, cachedModel: CachedModel): Promise<void> {
    const { js, connection } = this.#nats;
    const message = await compress(serialize(cachedModel));
    const limit = connection.info?.max_payload ?? Infinity;
    if (message.length > limit)
      throw new RangeError(`it has ${message.length} bytes, and NATS takes ${limit}`);
    await js.publish(subjects.cachedModel(name), message, { timeout: OFFER_WITHIN_MS });
  }
}

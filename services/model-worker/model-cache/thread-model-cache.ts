import type { CachedModel, ModelCache } from '#models/trained/model-cache.ts';
import { digestOf } from '#models/trained/provenance.ts';
import { inSharedMemory } from '../cache/shared-memory.ts';

interface ThreadModelCacheOptions {
  /** Resolves to the model of this name or, if this thread must train it, to undefined. */
  find: (name: string, willLearn: boolean) => Promise<CachedModel | undefined>;
  trained: (name: string, cachedModel: CachedModel) => void;
}

/** The cached models of the process as a screen thread sees them. */
export class ThreadModelCache {
  readonly #options: ThreadModelCacheOptions;

  constructor(options: ThreadModelCacheOptions) {
    this.#options = options;
  }

  /**
   * The cached models for runs on a market. A day of a backfill keeps nothing, because others are unlikely to need what it trains.
   * Keys identify models of one version, and the fingerprint tells versions of the same name in other stores apart.
   */
  of({ fingerprint }: { fingerprint: string }, { isHistory = false } = {}): ModelCache {
    const { find, trained } = this.#options;
    // Hashed, because keys are long and contain characters that a NATS subject must not.
    const nameOf = (key: string) => digestOf([Buffer.from(`${fingerprint} ${key}`)]);
    return {
      // A key identifies a model, so the one found under a key has the type that was kept under it.
      find: async <L extends CachedModel>(key: string) =>
        (await find(nameOf(key), !isHistory)) as L | undefined,
      keep: (key, cachedModel) => {
        if (!isHistory) trained(nameOf(key), inSharedMemory(cachedModel));
      },
    };
  }
}

import type { CachedModel } from '#models/learnt/model-cache.ts';
import type { ComputedCache } from '../cache/computed-cache.ts';
import type { SharedModelCache } from './process-model-cache.ts';

/** Cached models in files, for the next process on this machine, and those of other workers. */
export class ModelFiles implements SharedModelCache {
  readonly #cache: ComputedCache;
  readonly #others: SharedModelCache;

  constructor(cache: ComputedCache, others: SharedModelCache) {
    this.#cache = cache;
    this.#others = others;
  }

  async fetch(name: string): Promise<CachedModel | undefined> {
    return (await this.#cache.find<CachedModel>(name)) ?? (await this.#others.fetch(name));
  }

  offer(name: string, cachedModel: CachedModel): void {
    void this.#cache.keep(name, cachedModel);
    this.#others.offer(name, cachedModel);
  }
}

import { bytesOf, type CachedModel } from '#models/trained/model-cache.ts';
import { inSharedMemory } from '../cache/shared-memory.ts';
import type { ComputedCache } from '../cache/computed-cache.ts';

/** The models of other workers. Neither call ever rejects: a worker that finds no model trains it again. */
export interface SharedModelCache {
  fetch: (name: string) => Promise<CachedModel | undefined>;
  offer: (name: string, cachedModel: CachedModel) => void;
}

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

/** A model that a thread is training, and the threads that wait for it. */
interface Learning {
  learner: object;
  waiting: { thread: object; resolve: (cachedModel: CachedModel | undefined) => void }[];
}

/**
 * The models that a process has trained, in memory that its threads share: the most recently used ones, up to a size limit. A model
 * is trained by one thread at a time. Whoever needs the same one meanwhile waits for it.
 */
export class ProcessModelCache {
  readonly #maxBytes: number;
  readonly #others: SharedModelCache | undefined;
  /** Least recently used first. */
  readonly #kept = new Map<string, { cachedModel: CachedModel; bytes: number }>();
  readonly #learnings = new Map<string, Learning>();
  #bytes = 0;

  constructor(maxBytes: number, others?: SharedModelCache) {
    this.#maxBytes = maxBytes;
    this.#others = others;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /**
   * The model of this name. Undefined if there is none: with `willLearn`, the thread must then train it, and call `trained` or
   * `release`.
   */
  async find(thread: object, name: string, willLearn: boolean): Promise<CachedModel | undefined> {
    const kept = this.#kept.get(name)?.cachedModel;
    if (kept) {
      this.#keep(name, kept);
      return kept;
    }
    const learning = this.#learnings.get(name);
    if (learning) return new Promise((resolve) => learning.waiting.push({ thread, resolve }));
    if (willLearn) this.#learnings.set(name, { learner: thread, waiting: [] });
    const fetched = await this.#others?.fetch(name);
    if (!fetched) return undefined;
    const cachedModel = inSharedMemory(fetched);
    this.#keep(name, cachedModel);
    this.#tell(name, cachedModel);
    return cachedModel;
  }

  /** Keeps a model, hands it to those who wait, and offers it to other workers. One larger than the limit is not kept. */
  trained(name: string, cachedModel: CachedModel): void {
    this.#keep(name, cachedModel);
    this.#tell(name, cachedModel);
    this.#others?.offer(name, cachedModel);
  }

  /** The thread’s run has ended: what it did not train, the next one that waits must train, and it waits for nothing. */
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

  #tell(name: string, cachedModel: CachedModel): void {
    for (const { resolve } of this.#learnings.get(name)?.waiting ?? []) resolve(cachedModel);
    this.#learnings.delete(name);
  }

  #keep(name: string, cachedModel: CachedModel): void {
    this.#forget(name);
    const bytes = bytesOf(cachedModel);
    this.#kept.set(name, { cachedModel, bytes });
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

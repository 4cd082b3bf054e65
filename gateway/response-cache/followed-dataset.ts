import type { Freshness, WatchDatasetResponse } from '#proto/saring/market_data/v1/datasets.ts';
import type { Logger } from '#platform/operations/logger.ts';
import { LRUCache } from 'lru-cache';
import type { RenderedResponse } from '../responses/rendered-response.ts';
import { pause } from '#platform/process/waiting.ts';

/** Wait after a stream that ended. */
const RETRY_MS = 250;
/** The service sends a message at least every second. */
const SILENCE_MS = 4_000;

/** The state that market data is answered from, and the responses made from it. They are dropped together with it. */
export interface Edition {
  version: string;
  /** The day in Jakarta, YYYY-MM-DD. */
  today: string;
  /** As last heard, at most a second ago. Undefined if the service does not say. */
  freshness: Freshness | undefined;
  answers: ResponseCache;
}

interface FollowedDatasetOptions {
  /** Opens the stream of dataset states. */
  watch: (signal: AbortSignal) => AsyncIterable<WatchDatasetResponse>;
  log: Logger;
  maxCachedBytes: number;
}

/**
 * Knows which dataset the market-data service answers from, as long as the service reports it. Otherwise there is no
 * edition, and nothing is answered from memory.
 */
export class FollowedDataset {
  readonly #options: FollowedDatasetOptions;
  #edition: Edition | undefined;
  #stream = new AbortController();
  #isUnavailable = false;

  constructor(options: FollowedDatasetOptions) {
    this.#options = options;
  }

  get edition(): Edition | undefined {
    return this.#edition;
  }

  /** How fresh a version is now, or the version that answers if none is given. Undefined for one that does not answer any more. */
  freshnessOf(version: string | undefined): Freshness | undefined {
    const edition = this.#edition;
    return version === undefined || version === edition?.version ? edition?.freshness : undefined;
  }

  /** Follows the dataset until `stopping` is aborted. */
  async follow(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      this.#stream = new AbortController();
      const ended = AbortSignal.any([stopping, this.#stream.signal]);
      const reason = await this.#hearUntil(ended).catch((error: unknown) => error);
      this.#edition = undefined;
      if (!stopping.aborted) this.#tellUnavailable(ended.aborted ? ended.reason : reason);
      await pause(RETRY_MS, stopping);
    }
  }

  /**
   * Call this for every response, with the edition that was current when the request came. A version that is neither
   * that edition's nor the current one's is newer than anything the stream has reported. No client may get the old
   * version from then on, so this drops the edition and restarts the stream, which reports the current version.
   */
  answered(requestedIn: Edition | undefined, version: string | undefined): void {
    if (!this.#edition || version === this.#edition.version || version === requestedIn?.version) return;
    this.#edition = undefined;
    this.#stream.abort(new Error(`an answer came from ${version}`));
  }

  async #hearUntil(ended: AbortSignal): Promise<Error> {
    const stream = this.#stream;
    const silent = () => stream.abort(new Error(`nothing was heard for ${SILENCE_MS / 1_000} s`));
    const silence = setTimeout(silent, SILENCE_MS);
    try {
      for await (const state of this.#options.watch(ended)) {
        if (ended.aborted) break;
        silence.refresh();
        this.#hear(state);
      }
    } finally {
      clearTimeout(silence);
    }
    return new Error('the stream ended');
  }

  #hear({ version, today, freshness }: WatchDatasetResponse): void {
    this.#isUnavailable = false;
    if (version === '') {
      this.#edition = undefined;
    } else if (this.#edition?.version === version && this.#edition.today === today) {
      this.#edition.freshness = freshness;
    } else this.#begin(version, today, freshness);
  }

  #begin(version: string, today: string, freshness: Freshness | undefined): void {
    const { log, maxCachedBytes } = this.#options;
    this.#edition = { version, today, freshness, answers: responseCache(maxCachedBytes) };
    log.info({ version, today }, 'market data is now answered from this version and day');
  }

  #tellUnavailable(reason: unknown): void {
    if (!this.#isUnavailable)
      this.#options.log.info({ reason: String(reason) }, 'changes of the dataset cannot be followed');
    this.#isUnavailable = true;
  }
}

/** Size of an entry besides its key and its body: objects, headers, its place in the cache. */
const OVERHEAD_BYTES = 1_000;

/** Answers by request, limited by their total size in bytes. The least recently used are dropped first. */
type ResponseCache = LRUCache<string, RenderedResponse>;

/** @param maxBytes 0 keeps nothing */
export function responseCache(maxBytes: number): ResponseCache {
  // The library treats 0 as "no limit". Every response is larger than one byte.
  return new LRUCache({
    maxSize: Math.max(1, maxBytes),
    sizeCalculation: sizeOf,
  });
}

/** A body that may be compressed later counts twice from the start, for the compressed copy, which is not larger. */
function sizeOf({ body, isCompressible }: RenderedResponse, key: string): number {
  return OVERHEAD_BYTES + key.length + Buffer.byteLength(body) * (isCompressible ? 2 : 1);
}

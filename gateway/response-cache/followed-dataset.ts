import type { WatchDatasetResponse } from '#proto/saring/market_data/v1/datasets.ts';
import type { Logger } from '#shared/logger.ts';
import { LRUCache } from 'lru-cache';
import type { RenderedAnswer } from '../answers/rendered-answer.ts';
import { pause } from '#shared/waiting.ts';

/** After a stream that ended. */
const RETRY_MS = 250;
/** The service speaks at least every second. */
const SILENCE_MS = 4_000;

/** What market data is answered from, and the answers that were made from it: they begin and end with it. */
export interface Edition {
  version: string;
  /** The day in Jakarta, YYYY-MM-DD. */
  today: string;
  answers: AnswerCache;
}

interface FollowedDatasetOptions {
  /** Opens the stream of states. */
  watch: (signal: AbortSignal) => AsyncIterable<WatchDatasetResponse>;
  log: Logger;
  maxCachedBytes: number;
}

/**
 * Knows what the market-data service answers from, as long as the service keeps reporting it. While it does not, there is
 * no edition, and nothing is answered from memory.
 */
export class FollowedDataset {
  readonly #options: FollowedDatasetOptions;
  #edition: Edition | undefined;
  #stream = new AbortController();
  #isAway = false;

  constructor(options: FollowedDatasetOptions) {
    this.#options = options;
  }

  get edition(): Edition | undefined {
    return this.#edition;
  }

  /** Runs until `stopping`. */
  async follow(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      this.#stream = new AbortController();
      const ended = AbortSignal.any([stopping, this.#stream.signal]);
      const reason = await this.#hearUntil(ended).catch((error: unknown) => error);
      this.#edition = undefined;
      if (!stopping.aborted) this.#tellAway(ended.aborted ? ended.reason : reason);
      await pause(RETRY_MS, stopping);
    }
  }

  /**
   * Call with every answer, with the edition in which it was asked for. A version that is neither that edition's
   * nor the present one's is newer than what the stream has reported so far: from here on no client may get the old one.
   * A fresh stream reports which version answers by now.
   */
  answered(askedIn: Edition | undefined, version: string | undefined): void {
    if (!this.#edition || version === this.#edition.version || version === askedIn?.version) return;
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

  #hear({ version, today }: WatchDatasetResponse): void {
    this.#isAway = false;
    if (version === '') this.#edition = undefined;
    if (version === '' || (this.#edition?.version === version && this.#edition.today === today)) return;
    const { log, maxCachedBytes } = this.#options;
    this.#edition = { version, today, answers: answerCache(maxCachedBytes) };
    log.info({ version, today }, 'market data is answered from another edition');
  }

  #tellAway(reason: unknown): void {
    if (!this.#isAway) this.#options.log.info({ reason: String(reason) }, 'the dataset is not followed');
    this.#isAway = true;
  }
}

/** What an entry takes besides its key and its body: objects, headers, its place in the cache. */
const OVERHEAD_BYTES = 1_000;

/** Answers by request, up to so many bytes of them; the least recently used make room. */
type AnswerCache = LRUCache<string, RenderedAnswer>;

/** @param maxBytes 0 keeps nothing */
export function answerCache(maxBytes: number): AnswerCache {
  // The library takes 0 for "no limit". No answer is as small as a byte.
  return new LRUCache({
    maxSize: Math.max(1, maxBytes),
    sizeCalculation: sizeOf,
  });
}

/** A body that may be compressed later counts twice from the start: the compressed one is not larger. */
function sizeOf({ body, isCompressible }: RenderedAnswer, key: string): number {
  return OVERHEAD_BYTES + key.length + Buffer.byteLength(body) * (isCompressible ? 2 : 1);
}

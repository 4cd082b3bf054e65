import { LRUCache } from 'lru-cache';
import type { RenderedAnswer } from '../answers/rendered-answer.ts';

/** What an entry takes besides its key and its body: objects, headers, its place in the cache. */
const OVERHEAD_BYTES = 1_000;

/** Answers by request, up to so many bytes of them; the least recently used make room. */
export type AnswerCache = LRUCache<string, RenderedAnswer>;

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

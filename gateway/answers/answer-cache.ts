import type { RenderedAnswer } from '../http/rendered-answer.ts';

/** What an entry takes besides its key and its body: objects, headers, its place in the map. */
const OVERHEAD_BYTES = 1_000;

interface Entry {
  answer: RenderedAnswer;
  bytes: number;
}

/** Answers by what was asked, up to so many bytes of them: those that nobody asked for longest make room. */
export class AnswerCache {
  readonly #maxBytes: number;
  /** The one asked for last stands last. */
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): RenderedAnswer | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.answer;
  }

  /** Keeps the answer, unless it is larger than everything may be together. */
  set(key: string, answer: RenderedAnswer): void {
    const bytes = sizeOf(key, answer);
    this.#remove(key);
    if (bytes > this.#maxBytes) return;
    this.#entries.set(key, { answer, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }
}

/** A body that may be compressed later counts twice from the start: the compressed one is not larger. */
function sizeOf(key: string, { body, isCompressible }: RenderedAnswer): number {
  return OVERHEAD_BYTES + key.length + Buffer.byteLength(body) * (isCompressible ? 2 : 1);
}

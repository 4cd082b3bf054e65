import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { ServiceError } from '#foundation/errors/service-error.ts';
import type { KeyWatch } from '../auth/key-watch.ts';
import type { ClientCall } from '../request/client-call.ts';
import type { Access } from '../declarations/route.ts';

/** One event of a stream. */
export interface StreamEvent {
  /** Without line breaks. A reader that reconnects names the last id it received. */
  id: string;
  /** Without line breaks. */
  name: string;
  /** Sent as JSON. */
  data: unknown;
}

/** How far a stream has come without an event. A reader that reconnects names this id, as if it had received one. */
type StreamPosition = Pick<StreamEvent, 'id'>;

/** A response that consists of events, each sent as it comes. */
export type EventStream = AsyncIterable<StreamEvent | StreamPosition>;

/** How long a reader waits before it reconnects. */
const RETRY_MS = 2_000;
/** Shorter than the idle timeout of common proxies, which would otherwise cut a silent stream. */
export const HEARTBEAT_MS = 15_000;

/**
 * Sends events (WHATWG, server-sent events) until there are no more or the reader leaves. It waits for a slow reader,
 * so that memory holds no more for it than one event and the connection's buffer. Without a stream the response is 204,
 * which stops a reader from reconnecting.
 * @param mayTell asked before each event; the stream ends when it returns false.
 */
export async function sendEvents(
  req: Request,
  res: Response,
  stream: EventStream | undefined,
  mayTell: () => Promise<boolean>,
): Promise<void> {
  res.setHeader('Cache-Control', 'no-store');
  if (!stream) {
    res.statusCode = 204;
    res.end();
    return;
  }
  res.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
  // For nginx, which would otherwise buffer events until it has a full page.
  res.setHeader('X-Accel-Buffering', 'no');
  if (req.method === 'HEAD') {
    res.end();
    return;
  }
  res.write(`retry: ${RETRY_MS}\n\n`);
  const heartbeat = setInterval(() => {
    if (!res.writableNeedDrain) res.write(': heartbeat\n\n');
  }, HEARTBEAT_MS);
  try {
    await pipeline(Readable.from(textsOf(stream, mayTell), { highWaterMark: 1 }), res);
  } catch (error) {
    if (!READER_GONE.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    clearInterval(heartbeat);
  }
}

async function* textsOf(events: EventStream, mayTell: () => Promise<boolean>): AsyncGenerator<string> {
  for await (const event of events) {
    if (!(await mayTell())) return;
    yield textOf(event);
  }
}

/** JSON has no line breaks outside its strings, and escapes those inside. */
function textOf(event: StreamEvent | StreamPosition): string {
  const { id } = event;
  if (!('name' in event)) return `id: ${id}\n\n`;
  const { name, data } = event;
  return `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** While the stream was sent, or before it began. */
const READER_GONE = ['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_UNABLE_TO_PIPE'];

export const MAX_STREAMS_PER_KEY = 100;
/** Places become free soon, as most streams end with a run. */
const RETRY_AFTER_SECONDS = 5;

/** The event streams that are open at this gateway. Limits the streams of each key, and ends those whose key is refused. */
export class OpenStreams {
  readonly #keys: KeyWatch;
  readonly #open = new Map<string, number>();

  constructor(keys: KeyWatch) {
    this.#keys = keys;
  }

  /**
   * Takes one of the key's places until the call is over, and ends the call once its key is refused.
   * @returns a check of whether events may be sent to the call now; run it before each event.
   * @throws ServiceError rate_limited when all places are taken.
   */
  enter(call: ClientCall, access: Access, res: Response): () => Promise<boolean> {
    const open = this.#open.get(call.apiKeyId) ?? 0;
    if (open >= MAX_STREAMS_PER_KEY) {
      res.setHeader('Retry-After', RETRY_AFTER_SECONDS);
      throw new ServiceError(
        'rate_limited',
        `This key may hold ${MAX_STREAMS_PER_KEY} event streams open at a time. Close one, or poll.`,
      );
    }
    this.#open.set(call.apiKeyId, open + 1);
    const entry = { secret: call.secret, access };
    const unwatch = this.#keys.watch(entry, () => call.end());
    call.onceOver(() => {
      unwatch();
      this.#leave(call.apiKeyId);
    });
    return () => this.#keys.isLetIn(entry);
  }

  #leave(keyId: string): void {
    const open = this.#open.get(keyId) ?? 0;
    if (open > 1) this.#open.set(keyId, open - 1);
    else this.#open.delete(keyId);
  }
}

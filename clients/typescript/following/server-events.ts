import { createParser } from 'eventsource-parser';
import type { PathOf } from '../transport/api-types.ts';
import { tooLarge } from '../transport/bounded-response.ts';
import type { CallLimit } from '../transport/call-limit.ts';
import { SaringError } from '../transport/saring-error.ts';
import type { Transport } from '../transport/transport.ts';

/** The server sends something at least every 15 s. A stream that is silent for longer is dead, or a proxy holds its events back. */
export const SERVER_SILENCE_MS = 35_000;

/** The id that a stream has reached, or the event to which the id before it belongs. */
type ServerEvent =
  | { id: string; data?: undefined }
  | { id?: undefined; name: string | undefined; data: string };

/**
 * Yields the events of a stream as they come, until the server ends it. Throws if there is no event stream, if it falls silent, or if
 * an event is too large.
 */
export async function* serverEvents<P extends PathOf<'get'>>(
  transport: Transport,
  path: P,
  input: { path?: object; query?: object },
  limit: CallLimit,
  silenceMs: number,
): AsyncGenerator<ServerEvent> {
  const { body, contentType } = await transport.stream(path, input, limit);
  const reader = body.getReader();
  try {
    if (!contentType.startsWith('text/event-stream'))
      throw new SaringError(
        'unexpected_answer',
        `The server sent ${contentType} instead of an event stream.`,
      );
    const decoder = new TextDecoder();
    let arrived: ServerEvent[] = [];
    let isTooLarge = false;
    const parser = createParser({
      maxBufferSize: transport.maxResponseBytes,
      onEvent: ({ event: name, data }) => arrived.push({ name, data }),
      onId: (id) => arrived.push({ id }),
      onError: ({ type }) => (isTooLarge ||= type === 'max-buffer-size-exceeded'),
    });
    for (;;) {
      const { done, value } = await limit.within(notSilent(reader.read(), silenceMs));
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* arrived;
      arrived = [];
      if (isTooLarge) throw tooLarge('An event', transport.maxResponseBytes);
    }
  } finally {
    // For a stream that broke off, this rejects with the error that was thrown already. For a stream that another
    // consumer reads too, it may stay pending, so it is not awaited.
    void reader.cancel().catch(() => undefined);
  }
}

async function notSilent<Read>(read: Promise<Read>, silenceMs: number): Promise<Read> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    const failure = new SaringError('unexpected_answer', `The server sent nothing for ${silenceMs} ms.`);
    timer = setTimeout(() => reject(failure), silenceMs);
  });
  return Promise.race([read, silence]).finally(() => clearTimeout(timer));
}

import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { speaking } from './raw-http.ts';

/** What a stream of server-sent events sent. */
export interface ReadEvents {
  status: number;
  headers: IncomingHttpHeaders;
  events: EventSourceMessage[];
  comments: string[];
  retryMs: number | undefined;
  /** Resolves when the stream has ended; rejects if it broke off. */
  ended: Promise<void>;
  /** Closes the connection, as a client that goes away. */
  leave: () => void;
}

interface EventRequest {
  key: string;
  lastEventId?: string;
}

/** Opens a stream on its own connection and keeps reading it until it ends or `leave` is called. */
export async function readEvents(url: string, { key, lastEventId }: EventRequest): Promise<ReadEvents> {
  const headers = {
    authorization: `Bearer ${key}`,
    accept: 'text/event-stream',
    ...(lastEventId && { 'last-event-id': lastEventId }),
  };
  const asking = speaking(url).request(url, { agent: false, headers }).end();
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  // Leaving destroys the request, which emits an error.
  asking.on('error', () => {});
  const read: ReadEvents = {
    status: response.statusCode!,
    headers: response.headers,
    events: [],
    comments: [],
    retryMs: undefined,
    ended: Promise.resolve(),
    leave: () => asking.destroy(),
  };
  const parser = createParser({
    onEvent: (event) => read.events.push(event),
    onComment: (comment) => read.comments.push(comment.trim()),
    onRetry: (retryMs) => (read.retryMs = retryMs),
  });
  read.ended = feed(response, (text) => parser.feed(text));
  // Avoids an unhandled rejection when the test does not await `ended`.
  read.ended.catch(() => {});
  return read;
}

async function feed(response: IncomingMessage, take: (text: string) => void): Promise<void> {
  response.setEncoding('utf8');
  for await (const text of response) take(text as string);
}

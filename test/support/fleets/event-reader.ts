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
  /** Resolves when the stream has ended; rejects when it broke off. */
  ended: Promise<void>;
  /** Leaves, as a client that goes away. */
  leave: () => void;
}

interface EventRequest {
  key: string;
  lastEventId?: string;
}

/** Opens a stream and goes on reading it, on a connection of its own, which closes when it leaves. */
export async function readEvents(url: string, { key, lastEventId }: EventRequest): Promise<ReadEvents> {
  const headers = { authorization: `Bearer ${key}`, ...(lastEventId && { 'last-event-id': lastEventId }) };
  const asking = speaking(url).request(url, { agent: false, headers }).end();
  const [answer] = (await once(asking, 'response')) as [IncomingMessage];
  // A reader that leaves hears of it as an error.
  asking.on('error', () => {});
  const read: ReadEvents = {
    status: answer.statusCode!,
    headers: answer.headers,
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
  read.ended = feed(answer, (text) => parser.feed(text));
  // Whoever does not ask how it ended need not know.
  read.ended.catch(() => {});
  return read;
}

async function feed(answer: IncomingMessage, take: (text: string) => void): Promise<void> {
  answer.setEncoding('utf8');
  for await (const text of answer) take(text as string);
}

import type { CallOptions } from '../api-types.ts';
import { CallLimit } from '../call-limit.ts';
import {
  followEvents,
  typesQuery,
  type Event,
  type EventTypeName,
  type Followed,
} from '../following/follow-events.ts';
import type { Transport } from '../transport.ts';

interface ListedEvents extends CallOptions {
  /** Only events with a larger `sequence`. All that are kept if it is left out. */
  after?: number;
  types?: readonly EventTypeName[];
  /** Size of a page. */
  limit?: number;
}

type StreamOptions = Followed & Pick<CallOptions, 'signal' | 'timeoutMs'>;

/** What has happened to this client’s key. Events differ by their `type`, and more types can come. */
export class Events {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** One page, with `next_after` for the next one and with what was `missed`. */
  page({ after, types, limit, ...options }: ListedEvents = {}) {
    const query = {
      ...typesQuery(types),
      ...(after !== undefined && { after }),
      ...(limit !== undefined && { limit }),
    };
    return this.#transport.get('/api/v1/events', { query, ...options });
  }

  /** The events up to now, oldest first. Each page is fetched only when the caller reaches it. */
  async *list(requested: ListedEvents = {}): AsyncGenerator<Event, void, undefined> {
    let page = await this.page(requested);
    yield* page.events;
    while (page.has_more) {
      page = await this.page({ ...requested, after: page.next_after });
      yield* page.events;
    }
  }

  /**
   * Yields events as they come, each once: those after `after`, or from now on. Goes on after the last one when the connection
   * breaks, until the caller leaves, `signal` aborts, or the key is refused.
   */
  async *stream({ timeoutMs, signal, ...followed }: StreamOptions = {}): AsyncGenerator<
    Event,
    void,
    undefined
  > {
    const limit = new CallLimit(timeoutMs ?? Infinity, signal);
    try {
      yield* followEvents(this.#transport, followed, limit);
    } finally {
      limit.close();
    }
  }
}

import type { CallOptions, PathOf, QueryOf } from './api-types.ts';

/** Query parameters of an endpoint, under the API’s own names, and the options of the call beside them. */
export type Asked<P extends PathOf<'get'>> = QueryOf<'get', P> & CallOptions;

type Fields<Given> = Omit<Given, keyof CallOptions>;

/** What of the given is for the API, and what is about the call. */
export function apart<Given extends CallOptions>(given: Given): [Fields<Given>, CallOptions] {
  const { signal, timeoutMs, endUser, idempotencyKey, ...fields } = given;
  const options: CallOptions = {
    ...(signal && { signal }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(endUser !== undefined && { endUser }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  };
  return [fields, options];
}

/** The same as the input of a call that asks by query. */
export function asQuery<Given extends CallOptions>(given: Given): { query: Fields<Given> } & CallOptions {
  const [query, options] = apart(given);
  return { query, ...options };
}

/** A page of events, as the API answers it. */
interface EventPage<Event> {
  events: Event[];
  count: number;
  /** What leads to the next page; null on the last one. */
  next_cursor: string | null;
  has_more: boolean;
}

/** Where a page begins; the first begins nowhere. */
interface From {
  cursor?: string;
}

/** All events of a list, newest first, or its pages: each page is fetched when it is come to. */
export class Paged<Event> implements AsyncIterable<Event> {
  readonly #fetchPage: (from: From) => Promise<EventPage<Event>>;

  constructor(fetchPage: (from: From) => Promise<EventPage<Event>>) {
    this.#fetchPage = fetchPage;
  }

  /** The first page alone. */
  first(): Promise<EventPage<Event>> {
    return this.#fetchPage({});
  }

  async *pages(): AsyncGenerator<EventPage<Event>, void, undefined> {
    let page = await this.first();
    yield page;
    while (page.next_cursor !== null) {
      page = await this.#fetchPage({ cursor: page.next_cursor });
      yield page;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Event, void, undefined> {
    for await (const page of this.pages()) for (const event of page.events) yield event;
  }
}

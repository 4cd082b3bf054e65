import type { CallOptions, PathOf, QueryOf } from './api-types.ts';

/** Query parameters of an endpoint, under the API’s own names, together with the options of the call. */
export type QueryOptions<P extends PathOf<'get'>> = QueryOf<'get', P> & CallOptions;

type Fields<Given> = Omit<Given, keyof CallOptions>;

/** Separates the fields for the API from the options of the call. */
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

/** The same, as the input of a call whose fields go into the query. */
export function asQuery<Given extends CallOptions>(given: Given): { query: Fields<Given> } & CallOptions {
  const [query, options] = apart(given);
  return { query, ...options };
}

/** A page of events, as the API returns it. */
interface EventPage<Event> {
  events: Event[];
  count: number;
  /** Cursor of the next page; null on the last one. */
  next_cursor: string | null;
  has_more: boolean;
}

/** Where a page begins. Without a cursor, it is the first page. */
interface From {
  cursor?: string;
}

/** All events of a list, newest first, or its pages. Each page is fetched only when the caller reaches it. */
export class Paged<Event> implements AsyncIterable<Event> {
  readonly #fetchPage: (from: From) => Promise<EventPage<Event>>;

  constructor(fetchPage: (from: From) => Promise<EventPage<Event>>) {
    this.#fetchPage = fetchPage;
  }

  /** Only the first page. */
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

/** A page of events, as the API answers it. */
export interface EventPage<Event> {
  events: Event[];
  count: number;
  /** What leads to the next page; null on the last one. */
  next_cursor: string | null;
  has_more: boolean;
}

/** Where a page begins; the first begins nowhere. */
export interface From {
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

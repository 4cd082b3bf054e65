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

/** What the pages of every list have in common. */
interface AnyPage {
  count: number;
  /** Cursor of the next page; null on the last one. */
  next_cursor: string | null;
  has_more: boolean;
}

/** Where a page begins. Without a cursor, it is the first page. */
interface From {
  cursor?: string;
}

/** All items of a list, in its order, or its pages. Each page is fetched only when the caller reaches it. */
export class Paged<Page extends AnyPage, Item> implements AsyncIterable<Item> {
  readonly #fetchPage: (from: From) => Promise<Page>;
  readonly #itemsOf: (page: Page) => Item[];

  constructor(fetchPage: (from: From) => Promise<Page>, itemsOf: (page: Page) => Item[]) {
    this.#fetchPage = fetchPage;
    this.#itemsOf = itemsOf;
  }

  /** Only the first page. */
  first(): Promise<Page> {
    return this.#fetchPage({});
  }

  async *pages(): AsyncGenerator<Page, void, undefined> {
    let page = await this.first();
    yield page;
    while (page.next_cursor !== null) {
      page = await this.#fetchPage({ cursor: page.next_cursor });
      yield page;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) for (const item of this.#itemsOf(page)) yield item;
  }
}

import { isClickHouseUnavailable } from '#platform/clickhouse/clickhouse.ts';

export interface ThreadRequest<Q> {
  kind: 'request';
  id: number;
  query: Q;
}

/** Its response: a value, or why there is none. */
export type ThreadAnswer = { kind: 'answer'; id: number } & (
  | { value: unknown }
  | { failure: { message: string; isUnavailable: boolean } }
);

/** A dataset, or a part of one, could not be read. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
  /** Whether ClickHouse did not answer, so that trying again later makes sense. */
  readonly isUnavailable: boolean;

  constructor(message: string, { isUnavailable, cause }: { isUnavailable: boolean; cause?: unknown }) {
    super(message, { cause });
    this.isUnavailable = isUnavailable;
  }
}

/** Asks another thread and matches its responses. */
export class ThreadRequests<Q> {
  readonly #send: (request: ThreadRequest<Q>) => void;
  readonly #open = new Map<number, PromiseWithResolvers<unknown>>();
  #lastId = 0;

  constructor(send: (request: ThreadRequest<Q>) => void) {
    this.#send = send;
  }

  /** Rejects with {@link Unreadable} when the other thread fails or ends. */
  ask<T>(query: Q): Promise<T> {
    const answered = Promise.withResolvers<unknown>();
    this.#open.set(++this.#lastId, answered);
    this.#send({ kind: 'request', id: this.#lastId, query });
    return answered.promise as Promise<T>;
  }

  get isWaiting(): boolean {
    return this.#open.size > 0;
  }

  settle(response: ThreadAnswer): void {
    const open = this.#open.get(response.id);
    this.#open.delete(response.id);
    if ('value' in response) open?.resolve(response.value);
    else open?.reject(new Unreadable(response.failure.message, response.failure));
  }

  /** The other thread has ended and answers nothing any more. */
  failAll(message: string): void {
    for (const { reject } of this.#open.values()) reject(new Unreadable(message, { isUnavailable: false }));
    this.#open.clear();
  }
}

/** Answers a request with what `find` resolves or rejects to. */
export async function responseTo<Q>(
  { id, query }: ThreadRequest<Q>,
  find: (query: Q) => Promise<unknown>,
): Promise<ThreadAnswer> {
  try {
    return { kind: 'answer', id, value: await find(query) };
  } catch (error) {
    const { message } = error as Error;
    const isUnavailable = error instanceof Unreadable ? error.isUnavailable : isClickHouseUnavailable(error);
    return { kind: 'answer', id, failure: { message, isUnavailable } };
  }
}

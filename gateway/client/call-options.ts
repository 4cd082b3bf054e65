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

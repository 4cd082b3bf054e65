import { vi } from 'vitest';
import { yearsBefore } from '#shared/market/past-span.ts';
import { pollUntilFinal, type JobBody } from '../rest/jobs.ts';
import { endedBackfill } from '../rest/backfills.ts';
import type { Rest } from '../rest/rest.ts';
import type { Operation } from './openapi-document.ts';
import { IN_TIME } from '#support/hangs.ts';

/** A request in parts that can still be changed. Names and values are not yet encoded. */
export interface RequestParts {
  key: string | undefined;
  path: Record<string, string>;
  query: Record<string, string>;
  headers: Record<string, string>;
  /** A string is sent unchanged, anything else as JSON. */
  body: unknown;
}

/** A response as received. */
export interface ApiResponse {
  status: number;
  headers: Headers;
  text: string;
}

/** A valid request of the operation. `key` is the credential that the operation needs. */
export function validRequest(operation: Operation, key: string, good: GoodValues): RequestParts {
  const values: Record<string, string> = {
    ...good,
    model_id: 'confluence_filter',
    document_id: 'fair_disclaimer',
    tickers: good.ticker,
    with: good.job_id,
    'X-End-User': good.end_user_id,
  };
  const required = (where: 'path' | 'query' | 'header') =>
    Object.fromEntries(
      operation.parameters
        .filter((input) => input.in === where && input.required)
        .map(({ name }) => {
          if (values[name] === undefined) throw new Error(`Say what a good ${name} is.`);
          return [name, values[name]];
        }),
    );
  return {
    key: operation.needsKey || operation.isOperators ? key : undefined,
    path: required('path'),
    query: required('query'),
    headers: required('header'),
    body: operation.body ? validBody(operation, good) : undefined,
  };
}

function validBody({ operationId }: Operation, good: GoodValues): object {
  const tickers = [good.ticker];
  const bodies: Record<string, object> = {
    compareStocks: { tickers },
    listTurningPoints: { tickers },
    submitRun: {},
    recordConsent: { document_version: good.document_version },
    startBackfill: { from: good.day, to: good.day },
    createScreen: SCREEN,
    replaceScreen: SCREEN,
    previewScreen: { rules: SCREEN.rules },
    submitSimulation: simulationOf(good),
    startSession: {},
    createWatchlist: { name: 'some', tickers },
    replaceWatchlist: { name: 'some', tickers },
    createWebhook: { url: NO_RECEIVER },
    replaceWebhook: { url: NO_RECEIVER },
    redeliverMissed: { since: good.day },
  };
  const body = bodies[operationId];
  if (!body) throw new Error(`Say what a good body of ${operationId} is.`);
  return body;
}

/** The URL of an endpoint that has no address, so that nothing leaves the machine of the tests. */
export const NO_RECEIVER = 'https://receiver.invalid/hook';

/** Some stocks are in it on any day. */
export const SCREEN = { name: 'some', rules: 'close > 0 limit 5' };

/** A simulation over the last year of a market. */
export function simulationOf({ screen_id, day }: { screen_id: string; day: string }) {
  return { screen_id, from: yearsBefore(day, 1), to: day, capital_idr: 100_000_000 };
}

/** Fields that requests of tests return. */
export const SCREEN_COLUMNS = ['close', 'value_idr', 'rsi_14'];

/** Sends the request unchanged and reads the whole response. */
export async function send(
  baseUrl: string,
  { method, path }: { method: string; path: string },
  parts: RequestParts,
): Promise<ApiResponse> {
  const { key, body, headers } = parts;
  const url = new URL(
    baseUrl + path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parts.path[name]!)),
  );
  for (const [name, value] of Object.entries(parts.query)) url.searchParams.set(name, value);
  const response = await fetch(url, {
    method: method.toUpperCase(),
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** The same request with another value for one of its inputs, in whichever part that input belongs. */
export function withInput(
  operation: Operation,
  parts: RequestParts,
  name: string,
  value: unknown,
): RequestParts {
  const place = operation.parameters.find((input) => input.name === name)?.in;
  if (place === undefined) return { ...parts, body: { ...(parts.body as object), [name]: value } };
  const part = ({ path: 'path', query: 'query', header: 'headers' } as const)[place];
  return { ...parts, [part]: { ...parts[part], [name]: String(value) } };
}

/** Values with which the calling key finds something. */
export type GoodValues = Record<
  | 'job_id'
  | 'backfill_id'
  | 'screen_id'
  | 'watchlist_id'
  | 'webhook_id'
  | 'delivery_id'
  | 'session_id'
  | 'day'
  | 'event_id'
  | 'end_user_id'
  | 'ticker'
  | 'broker_code'
  | 'document_version'
  | 'version',
  string
>;

/** Submits a run for a new end user, waits until it is recorded, and returns values that find it and the rest. */
export async function recordedRun(rest: Rest, end_user_id: string): Promise<GoodValues> {
  const options = { endUser: end_user_id };
  const run = await rest.post<JobBody>('/api/v1/models/confluence_filter/runs', {}, options);
  const { job_id } = await pollUntilFinal(rest, run.body.job_id);
  const event_id = await vi.waitFor(() => newestEvent(rest, end_user_id), IN_TIME);
  const consent = await rest.get<{ required_version: string }>('/api/v1/consent', options);
  const { required_version: document_version } = consent.body;
  const overview = await rest.get<{ date: string; dataset_version: string }>('/api/v1/data/market-overview');
  const { date: day, dataset_version: version } = overview.body;
  const { backfill_id } = await endedBackfill(rest, day);
  const session_id = await startedSession(rest);
  const saved = { session_id, ...(await savedScreen(rest, end_user_id)), ...(await testedWebhook(rest)) };
  const own = { job_id, backfill_id, event_id, end_user_id, ...saved };
  return { ...own, day, version, document_version, ...(await tradedStock(rest)) };
}

/**
 * A new screen and a new watchlist of an end user. Others of the key may read them if they are shared. The screen can be run at
 * once, because the fields that tests return have been computed.
 */
export async function savedScreen(
  rest: Rest,
  endUser: string,
  shared = false,
): Promise<Pick<GoodValues, 'screen_id' | 'watchlist_id'>> {
  const options = { endUser };
  const screen = await rest.post<{ screen_id: string }>('/api/v1/screens', { ...SCREEN, shared }, options);
  const tickers = { name: 'some', tickers: ['AAAA'], shared };
  const watchlist = await rest.post<{ watchlist_id: string }>('/api/v1/watchlists', tickers, options);
  const run = `/api/v1/screens/${screen.body.screen_id}/run?columns=${SCREEN_COLUMNS.join()}`;
  const isRun = async () => {
    const { status } = await rest.post(run, undefined, options);
    if (status === 503) throw new Error('the fields of the market are not computed yet');
  };
  await vi.waitFor(isRun, IN_TIME);
  return { screen_id: screen.body.screen_id, watchlist_id: watchlist.body.watchlist_id };
}

/** A new webhook of the key, to which a test was sent. */
export async function testedWebhook(rest: Rest): Promise<Pick<GoodValues, 'webhook_id' | 'delivery_id'>> {
  const webhook = await rest.post<{ webhook_id: string }>('/api/v1/webhooks', { url: NO_RECEIVER });
  const { webhook_id } = webhook.body;
  const test = await rest.post<{ delivery_id: string }>(`/api/v1/webhooks/${webhook_id}/test`, undefined);
  return { webhook_id, delivery_id: test.body.delivery_id };
}

/** The id of a new session of the key. */
export async function startedSession(rest: Rest): Promise<string> {
  const { body } = await rest.post<{ session: { session_id: string } }>('/api/v1/sessions', {});
  return body.session.session_id;
}

/** A stock with negotiated trades on the latest day, and its largest buyer in the regular market. */
async function tradedStock(rest: Rest): Promise<Pick<GoodValues, 'ticker' | 'broker_code'>> {
  const scan = await rest.get<{ items: { ticker: string }[] }>('/api/v1/data/nego?min_val=0');
  const { ticker } = scan.body.items[0]!;
  const day = await rest.get<{ top_buyers: { broker: string }[] }>(`/api/v1/data/stocks/${ticker}/brokers`);
  return { ticker, broker_code: day.body.top_buyers[0]!.broker };
}

async function newestEvent(rest: Rest, endUser: string): Promise<string> {
  const path = `/api/v1/usage/events?end_user=${endUser}&status=succeeded`;
  const { body } = await rest.get<{ events: { event_id: string }[] }>(path);
  if (!body.events[0]) throw new Error('the ledger does not have the end of the run yet');
  return body.events[0].event_id;
}

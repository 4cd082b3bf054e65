import { randomUUID } from 'node:crypto';
import { vi } from 'vitest';
import { SCOPES } from '#shared/scopes.ts';
import { namesOf, type Operation } from '../declared-api/openapi-document.ts';
import {
  recordedRun,
  savedScreen,
  send,
  testedWebhook,
  validRequest,
  withInput,
  type GoodValues,
  type ApiResponse,
} from '../declared-api/request-parts.ts';
import { untilEnded } from '../rest/backfills.ts';
import { KeyIssuer, type IssuedKey } from '../fleets/issued-keys.ts';
import { pollUntilFinal } from '../rest/jobs.ts';
import { Rest } from '../rest/rest.ts';
import { IN_TIME } from '#support/hangs.ts';

type TenantWithData = Awaited<ReturnType<typeof newTenantWithData>>;
export type TwoTenants = Awaited<ReturnType<typeof startTwoTenants>>;

/** Both tenants have an end user with this id. */
export const COMMON_END_USER = `common-${randomUUID()}`;
/** Keys that the owner has used for that end user, one with each operation that takes an idempotency key. */
export const USED_IDEMPOTENCY_KEYS = [randomUUID(), randomUUID()] as const;

const TENANT_SCOPES = Object.keys(SCOPES).filter((scope) => scope !== 'usage:admin');

/**
 * Two keys with runs, events and end users. The owner also has a consent and has used idempotency keys. The operator's key sees the
 * data of all keys.
 */
export async function startTwoTenants(stateDir: string, baseUrl: string, operations: Operation[]) {
  const issuer = await KeyIssuer.of(stateDir);
  const [owners, unauthenticated, operators] = await Promise.all(
    [TENANT_SCOPES, TENANT_SCOPES, Object.keys(SCOPES)].map((scopes) => issuer.issue(scopes)),
  );
  issuer.close();
  const [owner, stranger] = await Promise.all([
    newTenantWithData(baseUrl, owners!, `owner-${randomUUID()}`),
    newTenantWithData(baseUrl, unauthenticated!, `stranger-${randomUUID()}`),
  ]);
  const takers = operations.filter((operation) => namesOf(operation, 'header').includes('Idempotency-Key'));
  for (const operation of takers)
    for (const key of USED_IDEMPOTENCY_KEYS) await useIdempotencyKey(baseUrl, operation, owner, key);
  const { end_user_id: endUser, document_version } = owner.good;
  await owner.rest.post('/api/v1/consent', { document_version }, { endUser });
  await vi.waitFor(() => collectEvents(owner), IN_TIME);
  return { owner, stranger, operator: { ...owner, secret: operators!.key } };
}

/** A key that owns data of every kind. */
async function newTenantWithData(baseUrl: string, { id, key: secret }: IssuedKey, endUser: string) {
  const rest = new Rest(baseUrl, secret);
  const good = await recordedRun(rest, endUser);
  const other = await savedScreen(rest, endUser, true);
  const byModel = { name: 'by model', model_id: 'confluence_filter', shared: true };
  const { body: screen } = await rest.post<{ screen_id: string }>('/api/v1/screens', byModel, { endUser });
  await testedWebhook(rest);
  const { body: delivery } = await rest.post<{ delivery_id: string }>(
    `/api/v1/webhooks/${good.webhook_id}/test`,
    undefined,
  );
  /** By the name of the input that takes such an id. */
  const ids: Record<keyof typeof RESPONSES_TO_FOREIGN_IDS | 'api_key_id', string[]> = {
    end_user_id: [endUser],
    end_user: [endUser],
    job_id: [good.job_id],
    backfill_id: [good.backfill_id],
    // Two of each, so that lists have a second page.
    screen_id: [good.screen_id, other.screen_id],
    watchlist_id: [good.watchlist_id, other.watchlist_id],
    // The deliveries are of this one. The key has another, so that the list has a second page.
    webhook_id: [good.webhook_id],
    delivery_id: [good.delivery_id, delivery.delivery_id],
    session_id: [good.session_id],
    event_id: [good.event_id],
    api_key_id: [id],
  };
  /** By operation: the values with which an Idempotency-Key has an effect, where it does not with every one. */
  const keyed: Record<string, Partial<GoodValues> | undefined> = {
    runScreen: { screen_id: screen.screen_id },
    submitSimulation: { screen_id: other.screen_id },
  };
  return { secret, rest, good, ids, keyed };
}

/** The key as an operation uses it: a run and a screen by model that comes to the same run are one request. */
export function keyOf({ operationId }: Operation, key: string): string {
  return `${operationId} ${key}`;
}

async function useIdempotencyKey(
  baseUrl: string,
  operation: Operation,
  { secret, good, ids, keyed }: TenantWithData,
  key: string,
): Promise<void> {
  const own = keyed[operation.operationId];
  const common = validRequest(operation, secret, { ...good, ...own, end_user_id: COMMON_END_USER });
  const { text } = await send(
    baseUrl,
    operation,
    withInput(operation, common, 'Idempotency-Key', keyOf(operation, key)),
  );
  const { job_id, backfill_id } = JSON.parse(text) as { job_id?: string; backfill_id?: string };
  if (job_id) ids.job_id.push(job_id);
  if (backfill_id) ids.backfill_id.push(backfill_id);
}

/** @throws while the ledger lacks the end of any run */
async function collectEvents({ rest, ids }: TenantWithData): Promise<void> {
  for (const id of ids.job_id) await pollUntilFinal(rest, id);
  for (const id of ids.backfill_id) await untilEnded(rest, id);
  const path = '/api/v1/usage/events?status=succeeded';
  const { body } = await rest.get<{ events: { event_id: string }[] }>(path);
  if (body.events.length < ids.job_id.length) throw new Error('the ledger does not have every run yet');
  ids.event_id = body.events.map(({ event_id }) => event_id);
}

/** The expected `outcomeOf` an answer to an id of another key, by the name of the input that takes the id. */
export const RESPONSES_TO_FOREIGN_IDS = {
  job_id: '404 job_not_found',
  backfill_id: '404 job_not_found',
  screen_id: '404 screen_not_found',
  watchlist_id: '404 watchlist_not_found',
  webhook_id: '404 webhook_not_found',
  delivery_id: '404 webhook_not_found',
  session_id: '404 not_found',
  event_id: '404 usage_event_not_found',
  end_user_id: '200 with 0',
  end_user: '200 with 0',
} as const;

/** The expected outcome of naming an id of another key: a filter finds nothing, also where the id names one thing elsewhere. */
export function responseToForeign(id: keyof typeof RESPONSES_TO_FOREIGN_IDS, operation: Operation): string {
  const isFilter = namesOf(operation, 'query').includes(id);
  return isFilter && id === 'screen_id' ? '200 with 0' : RESPONSES_TO_FOREIGN_IDS[id];
}

/** Inputs that other tests cover: only operators may send them, or their values come from lists and belong to no tenant. */
const OF_OTHER_TESTS = ['api_key_id', 'cursor', 'key_id', 'schedule_id', 'version'];
/** Inputs that mean the same for every key. */
const COMMON_IDS = ['model_id', 'ticker', 'broker_code', 'document_id'];

/** Inputs of the operation that look like ids but are in none of the lists above. */
export function unclassifiedIds(operation: Operation): string[] {
  const inQuery = namesOf(operation, 'query').filter((name) => /_id$|cursor|user|job|event|key/.test(name));
  const known = [...Object.keys(RESPONSES_TO_FOREIGN_IDS), ...OF_OTHER_TESTS, ...COMMON_IDS];
  return [...namesOf(operation, 'path'), ...inQuery].filter((name) => !known.includes(name));
}

/** Every pair of such an id and an operation that takes it. */
export function takersOfIds(operations: Operation[]) {
  const ids = Object.keys(RESPONSES_TO_FOREIGN_IDS) as (keyof typeof RESPONSES_TO_FOREIGN_IDS)[];
  return operations.flatMap((operation) => {
    const names = [...namesOf(operation, 'path'), ...namesOf(operation, 'query')];
    return ids.filter((id) => names.includes(id)).map((id) => ({ id, operation, ...operation }));
  });
}

/** Status and code of a refusal; status and `count` of any other response. */
export function outcomeOf({ status, text }: ApiResponse): string {
  const body = (text.startsWith('{') ? JSON.parse(text) : {}) as { error?: { code: string }; count?: number };
  if (body.error) return `${status} ${body.error.code}`;
  return body.count === undefined ? `${status}` : `${status} with ${body.count}`;
}

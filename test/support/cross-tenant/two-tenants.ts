import { randomUUID } from 'node:crypto';
import { vi } from 'vitest';
import { SCOPES } from '#shared/scopes.ts';
import { namesOf, type Operation } from '../declared-api/openapi-document.ts';
import {
  recordedRun,
  send,
  validRequest,
  withInput,
  type GoodValues,
  type ApiAnswer,
} from '../declared-api/request-parts.ts';
import { untilEnded } from '../fleets/backfills.ts';
import { KeyIssuer, type IssuedKey } from '../fleets/issued-keys.ts';
import { pollUntilFinal } from '../fleets/jobs.ts';
import { Rest } from '../fleets/rest.ts';

/** A key with everything that a key can have. */
interface TenantWithData {
  secret: string;
  rest: Rest;
  good: GoodValues;
  /** What belongs to it, by the names of the inputs that take such an id. */
  ids: Record<'job_id' | 'backfill_id' | 'event_id' | 'end_user_id' | 'end_user' | 'api_key_id', string[]>;
}

export interface TwoTenants {
  owner: TenantWithData;
  stranger: TenantWithData;
  /** A key that sees all. */
  operator: TenantWithData;
}

/** An end user of this id has each of the two. */
export const COMMON_END_USER = `common-${randomUUID()}`;
/** Sent by the owner, for that end user, with a request of each operation that takes one. */
export const USED_IDEMPOTENCY_KEYS = [randomUUID(), randomUUID()] as const;

const TENANT_SCOPES = Object.keys(SCOPES).filter((scope) => scope !== 'usage:admin');

/** Two keys with runs, events and end users; the owner has a consent and has used idempotency keys besides. */
export async function startTwoTenants(
  stateDir: string,
  baseUrl: string,
  operations: Operation[],
): Promise<TwoTenants> {
  const issuer = await KeyIssuer.of(stateDir);
  const [owners, strangers, operators] = await Promise.all(
    [TENANT_SCOPES, TENANT_SCOPES, Object.keys(SCOPES)].map((scopes) => issuer.issue(scopes)),
  );
  issuer.close();
  const [owner, stranger] = await Promise.all([
    newTenantWithData(baseUrl, owners!, `owner-${randomUUID()}`),
    newTenantWithData(baseUrl, strangers!, `stranger-${randomUUID()}`),
  ]);
  const takers = operations.filter((operation) => namesOf(operation, 'header').includes('Idempotency-Key'));
  for (const operation of takers)
    for (const key of USED_IDEMPOTENCY_KEYS) await useIdempotencyKey(baseUrl, operation, owner, key);
  const { end_user_id: endUser, document_version } = owner.good;
  await owner.rest.post('/api/v1/consent', { document_version }, { endUser });
  await vi.waitFor(() => collectEvents(owner), { timeout: 10_000 });
  return { owner, stranger, operator: { ...owner, secret: operators!.key } };
}

async function newTenantWithData(
  baseUrl: string,
  { id, key: secret }: IssuedKey,
  endUser: string,
): Promise<TenantWithData> {
  const rest = new Rest(baseUrl, secret);
  const good = await recordedRun(rest, endUser);
  const users = { end_user_id: [endUser], end_user: [endUser] };
  const ids = {
    ...users,
    job_id: [good.job_id],
    backfill_id: [good.backfill_id],
    event_id: [good.event_id],
    api_key_id: [id],
  };
  return { secret, rest, good, ids };
}

async function useIdempotencyKey(
  baseUrl: string,
  operation: Operation,
  { secret, good, ids }: TenantWithData,
  key: string,
): Promise<void> {
  const common = validRequest(operation, secret, { ...good, end_user_id: COMMON_END_USER });
  const { text } = await send(baseUrl, operation, withInput(operation, common, 'Idempotency-Key', key));
  const { job_id, backfill_id } = JSON.parse(text) as { job_id?: string; backfill_id?: string };
  if (job_id) ids.job_id.push(job_id);
  if (backfill_id) ids.backfill_id.push(backfill_id);
}

/** @throws while the ledger does not have the end of every run */
async function collectEvents({ rest, ids }: TenantWithData): Promise<void> {
  for (const id of ids.job_id) await pollUntilFinal(rest, id);
  for (const id of ids.backfill_id) await untilEnded(rest, id);
  const path = '/api/v1/usage/events?status=succeeded';
  const { body } = await rest.get<{ events: { event_id: string }[] }>(path);
  if (body.events.length < ids.job_id.length) throw new Error('the ledger does not have every run yet');
  ids.event_id = body.events.map(({ event_id }) => event_id);
}

/** How an id that belongs to another key is answered, by the name of the input that takes it: as `outcomeOf` has it. */
export const ANSWERS_TO_FOREIGN_IDS = {
  job_id: '404 job_not_found',
  backfill_id: '404 job_not_found',
  event_id: '404 usage_event_not_found',
  end_user_id: '200 with 0',
  end_user: '200 with 0',
} as const;

/** Only operators may send it; and those, which come from lists, not from a tenant. */
const OF_OTHER_TESTS = ['api_key_id', 'cursor', 'key_id', 'schedule_id', 'version'];
/** Mean the same to everybody. */
const COMMON_IDS = ['model_id', 'ticker', 'broker_code', 'document_id'];

/** Inputs of the operation that look like ids and of which nobody has said whose. */
export function unclassifiedIds(operation: Operation): string[] {
  const inQuery = namesOf(operation, 'query').filter((name) => /_id$|cursor|user|job|event|key/.test(name));
  const known = [...Object.keys(ANSWERS_TO_FOREIGN_IDS), ...OF_OTHER_TESTS, ...COMMON_IDS];
  return [...namesOf(operation, 'path'), ...inQuery].filter((name) => !known.includes(name));
}

/** Each such id with each operation that takes it. */
export function takersOfIds(operations: Operation[]) {
  const ids = Object.keys(ANSWERS_TO_FOREIGN_IDS) as (keyof typeof ANSWERS_TO_FOREIGN_IDS)[];
  return operations.flatMap((operation) => {
    const names = [...namesOf(operation, 'path'), ...namesOf(operation, 'query')];
    return ids.filter((id) => names.includes(id)).map((id) => ({ id, operation, ...operation }));
  });
}

/** Status and code of a refusal; status and number of what is listed of anything else. */
export function outcomeOf({ status, text }: ApiAnswer): string {
  const body = (text.startsWith('{') ? JSON.parse(text) : {}) as { error?: { code: string }; count?: number };
  if (body.error) return `${status} ${body.error.code}`;
  return body.count === undefined ? `${status}` : `${status} with ${body.count}`;
}

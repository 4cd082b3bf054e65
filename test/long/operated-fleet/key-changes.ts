import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { ApiKey } from '#proto/saring/keys/v1/keys.ts';
import { thaw } from '#support/processes/signals.ts';
import { errorCode, Rest } from '#support/rest/rest.ts';
import { startSecondGateway, type SecondGateway } from '#support/fleets/second-gateway.ts';
import { keysClient } from '#support/processes/service-process.ts';
import { own, PATIENT_GATEWAY } from './fleet.ts';

const PAUSE_MS = 60;
/** Much longer than a call takes on a busy machine, because a new end must lie in the future. */
const AHEAD_MS = 6_000;
/** How many answers in a row show that a gateway knows of a change. */
const ENOUGH = 3;

let keys: ReturnType<typeof keysClient>;
let operator: { requestId: string; operatorToken: string };
let second: SecondGateway;
let gateways: Rest[];

beforeAll(async () => {
  const fleet = await own.fleet.file();
  second = await startSecondGateway(fleet, PATIENT_GATEWAY);
  gateways = [new Rest(fleet.base_url), new Rest(second.baseUrl)];
  keys = keysClient(fleet.addresses.keys);
  operator = { requestId: 'req_test', operatorToken: fleet.operator_token };
});
afterAll(async () => {
  keys?.close();
  await second?.stop();
});

let frozen: number | undefined;
afterEach(() => {
  if (frozen !== undefined) thaw([frozen]);
  frozen = undefined;
});

async function freezeNats(): Promise<void> {
  frozen = (await own.fleet.file()).pids['nats']!;
  process.kill(frozen, 'SIGSTOP');
}

interface Issued {
  key: ApiKey;
  secret: string;
}

async function issue(): Promise<Issued> {
  const request = { name: 'test', scopes: ['data:read'], rate_limit_per_minute: 1_000_000 };
  const issued = await keys.createKey({ ...request, expires_at: undefined, labels: {} }, operator);
  return { key: issued.api_key!, secret: issued.secret };
}

/** How a gateway answers a secret: status, code, and rate limit. */
async function outcomeAt(gateway: Rest, secret: string): Promise<string> {
  const response = await gateway.get('/api/v1/scopes', { key: secret });
  const limit = response.headers.get('x-ratelimit-limit') ?? 'none';
  return `${response.status} ${errorCode(response) ?? 'ok'}, limit ${limit}`;
}

/** A response, and when it had arrived, by the clock that every process of this machine reads. */
interface Seen {
  gateway: number;
  endedAt: number;
  outcome: string;
}

/** Uses a secret continuously at every gateway, so that each caches it, and records the outcomes. */
function keepUsing(secret: string): { seen: Seen[]; stop: () => Promise<void> } {
  const seen: Seen[] = [];
  let isOver = false;
  const useAt = async (gateway: number) => {
    while (!isOver) {
      const outcome = await outcomeAt(gateways[gateway]!, secret);
      seen.push({ gateway, endedAt: Date.now(), outcome });
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  };
  const using = Promise.all([useAt(0), useAt(1)]);
  using.catch(() => {});
  const stop = async () => {
    isOver = true;
    await using;
  };
  return { seen, stop };
}

const OPEN = '200 ok, limit 1000000';
const UNKNOWN = '401 invalid_api_key, limit none';
const NO_CHANGE = {
  name: undefined,
  rate_limit_per_minute: undefined,
  expires_at: undefined,
  never_expires: false,
  labels: {},
  scopes: [],
};

interface Change {
  /** Done before the key is used. */
  before?: (id: string) => Promise<unknown>;
  make: (id: string) => Promise<unknown>;
  /** How long after the call the change takes effect. */
  aheadMs?: number;
  from: string;
  to: string;
}

const CHANGES: Record<string, Change> = {
  'another limit': {
    make: (id) => keys.updateKey({ ...NO_CHANGE, id, rate_limit_per_minute: 900_000 }, operator),
    from: OPEN,
    to: '200 ok, limit 900000',
  },
  disabling: {
    make: (id) => keys.disableKey({ id }, operator),
    from: OPEN,
    to: '403 key_disabled, limit 1000000',
  },
  enabling: {
    before: (id) => keys.disableKey({ id }, operator),
    make: (id) => keys.enableKey({ id }, operator),
    from: '403 key_disabled, limit 1000000',
    to: OPEN,
  },
  deletion: { make: (id) => keys.deleteKey({ id }, operator), from: OPEN, to: UNKNOWN },
  'rotation without grace': {
    make: (id) => keys.rotateKey({ id, grace_seconds: 0 }, operator),
    from: OPEN,
    to: UNKNOWN,
  },
  'the end of a grace period': {
    make: (id) => keys.rotateKey({ id, grace_seconds: AHEAD_MS / 1_000 }, operator),
    aheadMs: AHEAD_MS,
    from: OPEN,
    to: UNKNOWN,
  },
  'the end of the key': {
    make: (id) => keys.updateKey({ ...NO_CHANGE, id, expires_at: new Date(Date.now() + AHEAD_MS) }, operator),
    aheadMs: AHEAD_MS,
    from: OPEN,
    to: UNKNOWN,
  },
};

/**
 * Makes the change while the key is in use, and waits until every gateway knows of it. How soon that is, `make bench` measures
 * and `key-cache.test.ts` limits. Returns every response that contradicts the promise: the old state after the new one, the new
 * one before its time, and any other.
 */
async function mistakesOf({ before, make, aheadMs = 0, from, to }: Change): Promise<string[]> {
  const { key, secret } = await issue();
  await before?.(key.id);
  const { seen, stop } = keepUsing(secret);
  const of = (gateway: number) => seen.filter((response) => response.gateway === gateway);
  const everywhere = (isEnough: (responses: Seen[]) => boolean) =>
    expect.poll(() => [0, 1].every((gateway) => isEnough(of(gateway)))).toBe(true);
  await everywhere((responses) => responses.length > 0);
  const begunAt = Date.now();
  await make(key.id);
  await everywhere((responses) => responses.filter(({ outcome }) => outcome === to).length >= ENOUGH);
  await stop();
  const isMistake = ({ outcome, endedAt }: Seen, index: number, responses: Seen[]) => {
    const isNews = responses.slice(0, index).some((earlier) => earlier.outcome === to);
    return outcome !== (isNews ? to : from) && !(outcome === to && endedAt >= begunAt + aheadMs);
  };
  return [0, 1].flatMap((gateway) =>
    of(gateway)
      .filter(isMistake)
      .map(({ outcome, endedAt }) => `${outcome} at ${gateway}, ${endedAt - begunAt} ms`),
  );
}

const NO_MISTAKES = Object.fromEntries(Object.keys(CHANGES).map((name) => [name, []]));

async function mistakesOfAll(): Promise<Record<string, string[]>> {
  const changes = Object.entries(CHANGES);
  return Object.fromEntries(
    await Promise.all(changes.map(async ([name, change]) => [name, await mistakesOf(change)] as const)),
  );
}

test('every key change takes effect in every gateway, not before its time, and for good', async () => {
  expect(await mistakesOfAll()).toEqual(NO_MISTAKES);
});

test('every key change does so while NATS is frozen, so that no gateway hears of it', async () => {
  await freezeNats();
  expect(await mistakesOfAll()).toEqual(NO_MISTAKES);
});

test('a secret works in every gateway once issued, and its predecessor during the grace period', async () => {
  const { key, secret } = await issue();
  const openAt = (each: string) => Promise.all(gateways.map((gateway) => outcomeAt(gateway, each)));
  expect(await openAt(secret)).toEqual([OPEN, OPEN]);
  const rotated = await keys.rotateKey({ id: key.id, grace_seconds: 60 }, operator);
  expect(await openAt(rotated.secret)).toEqual([OPEN, OPEN]);
  expect(await openAt(secret)).toEqual([OPEN, OPEN]);
});

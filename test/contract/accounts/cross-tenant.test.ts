import { beforeAll, describe, expect, inject, test } from 'vitest';
import {
  RESPONSES_TO_FOREIGN_IDS,
  responseToForeign,
  outcomeOf,
  takersOfIds,
  unclassifiedIds,
} from '#support/cross-tenant/two-tenants.ts';
import {
  COMMON_END_USER,
  keyOf,
  startTwoTenants,
  USED_IDEMPOTENCY_KEYS,
  type TwoTenants,
} from '#support/cross-tenant/two-tenants.ts';
import { operationsOf, namesOf } from '#support/declared-api/openapi-document.ts';
import { send, validRequest, withInput } from '#support/declared-api/request-parts.ts';
import { pollUntilFinal, submitRun } from '#support/rest/jobs.ts';
import type { RecordBody } from '#support/services/record.ts';

const baseUrl = inject('baseUrl');
const operations = await operationsOf(baseUrl);
type Operation = (typeof operations)[number];

const ofOperators = operations.filter(({ scope }) => scope === 'usage:admin');
const ofTheOperator = operations.filter(({ isOperators }) => isOperators);
const ofTenants = operations.filter(({ scope, isOperators }) => scope !== 'usage:admin' && !isOperators);

let tenants: TwoTenants;
let before: object;
beforeAll(async () => {
  tenants = await startTwoTenants(inject('stateDir'), baseUrl, operations);
  before = await everythingOfOwner();
});

/** All data of the owner, read with its own key. */
async function everythingOfOwner(): Promise<object> {
  const { rest, good } = tenants.owner;
  const read = async (path: string) => (await rest.get(path, { endUser: good.end_user_id })).body;
  const { screens } = (await read('/api/v1/screens')) as { screens: Record<string, unknown>[] };
  const { webhooks } = (await read('/api/v1/webhooks')) as { webhooks: Record<string, unknown>[] };
  return {
    jobs: await read('/api/v1/jobs?limit=100'),
    backfills: await read('/api/v1/backfills?limit=100'),
    events: await read('/api/v1/usage/events?limit=200'),
    endUsers: await read('/api/v1/usage/end-users'),
    consent: await read('/api/v1/consent'),
    // Who is in a new screen becomes known a little later.
    screens: screens.map((screen) => ({ ...screen, members: undefined, members_as_of: undefined })),
    watchlists: await read('/api/v1/watchlists'),
    // They fail meanwhile, and these tests enable and disable them.
    webhooks: webhooks.map(({ webhook_id, url }) => ({ webhook_id, url })),
  };
}

/** The request that a tenant sends for its own data, with some inputs replaced. */
function ask(who: keyof TwoTenants, operation: Operation, inputs: Record<string, unknown> = {}) {
  const { secret, good, keyed } = tenants[who];
  const own = 'Idempotency-Key' in inputs ? keyed[operation.operationId] : {};
  const changed = Object.entries(inputs).reduce(
    (parts, [name, value]) => withInput(operation, parts, name, value),
    validRequest(operation, secret, { ...good, ...own }),
  );
  return send(baseUrl, operation, changed);
}

/** The owner's ids that appear in a text, apart from the one that the request named. */
function tracesIn(text: string, asked?: string): string[] {
  const traces = Object.values(tenants.owner.ids).flat();
  return traces.filter((trace) => trace !== asked && text.includes(trace));
}

test.each(operations)('every id parameter of $method $path has a known owner', (operation) => {
  expect(unclassifiedIds(operation)).toEqual([]);
});

test.each(takersOfIds(ofTenants))(
  'no $id of another key gives access to anything at $method $path',
  async ({ id, operation }) => {
    expect(tenants.owner.ids[id].length).toBeGreaterThan(0);
    for (const foreign of tenants.owner.ids[id]) {
      const answer = await ask('stranger', operation, { [id]: foreign });
      expect(outcomeOf(answer)).toBe(responseToForeign(id, operation));
      expect(tracesIn(answer.text, foreign)).toEqual([]);
      // The owner keeps unchanged what the other tests read.
      if (['put', 'delete'].includes(operation.method)) continue;
      const toItsOwner = await ask('owner', operation, { [id]: foreign });
      expect(outcomeOf(toItsOwner)).not.toBe(responseToForeign(id, operation));
    }
  },
);

test('running jobs continue and succeed while another key tries to act on them', async () => {
  const { rest } = tenants.stranger;
  const takers = takersOfIds(ofTenants).filter(({ id }) => id === 'job_id');
  const runs = Array.from({ length: 6 }, async () => {
    const { job_id } = await submitRun(rest);
    const attempts = takers.map(({ operation }) => ask('owner', operation, { job_id }));
    const outcomes = (await Promise.all(attempts)).map(outcomeOf);
    expect(new Set(outcomes)).toEqual(new Set([RESPONSES_TO_FOREIGN_IDS.job_id]));
    return pollUntilFinal(rest, job_id);
  });
  expect((await Promise.all(runs)).map(({ status }) => status)).toEqual(Array(6).fill('succeeded'));
});

/** Scopes of what belongs to a key. */
const OF_KEYS = ['models:run', 'usage:read', 'screens:read', 'webhooks:write', 'events:read'];
// Fields and what they say of stocks are the same for every key. Counts of requests name nothing of a tenant: a test of their own
// compares those of two.
const isOwned = ({ scope, operationId }: Operation) =>
  OF_KEYS.includes(scope!) && !['listFields', 'listFieldValues', 'summarizeRequests'].includes(operationId);

test.each(ofTenants.filter(isOwned).filter(isList))(
  '$method $path lists nothing of another key, whatever the query',
  async (operation) => {
    const queries = [
      {},
      ...operation.parameters.flatMap(({ name, schema }) =>
        (schema.enum ?? []).map((word) => ({ [name]: word })),
      ),
    ];
    const ownersTraces = [];
    for (const query of queries) {
      expect(tracesIn((await ask('stranger', operation, query)).text)).toEqual([]);
      ownersTraces.push(...tracesIn((await ask('owner', operation, query)).text));
    }
    expect(ownersTraces).not.toEqual([]);
  },
);

function isList(operation: Operation): boolean {
  return operation.method === 'get' && namesOf(operation, 'path').length === 0;
}

test.each(ofOperators)('$method $path refuses every tenant, even for its own data', async (operation) => {
  const ids: Record<string, string[]> = tenants.owner.ids;
  const queries = namesOf(operation, 'query').flatMap((name) =>
    (ids[name] ?? []).map((value) => ({ [name]: value })),
  );
  for (const who of ['stranger', 'owner'] as const)
    for (const query of [{}, ...queries])
      expect(outcomeOf(await ask(who, operation, query))).toBe('403 insufficient_scope');
  expect(outcomeOf(await ask('operator', operation))).toMatch(/^200/);
});

test.each(ofTheOperator)(
  '$method $path refuses every API key, even one with usage:admin',
  async (operation) => {
    for (const who of ['stranger', 'operator'] as const)
      expect(outcomeOf(await ask(who, operation))).toBe('401 operator_token_required');
  },
);

describe('a cursor', () => {
  const isPaged = (operation: Operation) => namesOf(operation, 'query').includes('cursor');
  // Lists of the market are the same for every key.
  const isOfMarket = ({ scope }: Operation) => scope === 'data:read';
  const listsOfMarket = ofTenants.filter(isPaged).filter(isOfMarket);
  // A screen has no changes before a new day is published; its own tests publish some.
  const hasPages = (list: Operation) => !isOfMarket(list) && list.operationId !== 'listScreenChanges';
  const lists = ofTenants.filter(isPaged).filter(hasPages);
  const listsOfAll = ofOperators.filter(isPaged);
  const cursorOf = async (who: keyof TwoTenants, list: Operation, inputs: Record<string, unknown> = {}) => {
    const { text } = await ask(who, list, { limit: 1, ...inputs });
    return (JSON.parse(text) as { next_cursor: string }).next_cursor;
  };
  /** The end user of both keys, for lists that need one: the worst case, where an unauthenticated client knows the page's end user. */
  const endUserIn = (list: Operation) =>
    namesOf(list, 'path').includes('end_user_id') ? { end_user_id: COMMON_END_USER } : {};
  const pairs = (from: Operation[], to: Operation[]) =>
    from.flatMap((one) => to.map((other) => ({ from: one.path, to: other.path, one, other })));

  test.each(pairs(lists, lists))(
    'of $from of one key is invalid for another key at $to',
    async ({ one, other }) => {
      const cursor = await cursorOf('owner', one, endUserIn(one));
      const answer = await ask('stranger', other, { limit: 1, cursor, ...endUserIn(other) });
      expect([outcomeOf(answer), tracesIn(answer.text)]).toEqual(['422 invalid_cursor', []]);
      const toItsOwner = await ask('owner', one, { limit: 1, cursor, ...endUserIn(one) });
      expect(outcomeOf(toItsOwner)).toBe('200 with 1');
    },
  );

  test.each(pairs(listsOfAll, lists))(
    'of $from of all keys is invalid for any key at $to',
    async ({ one, other }) => {
      const cursor = await cursorOf('operator', one);
      for (const who of ['owner', 'stranger', 'operator'] as const) {
        const answer = await ask(who, other, { limit: 1, cursor, ...endUserIn(other) });
        expect([outcomeOf(answer), tracesIn(answer.text)]).toEqual(['422 invalid_cursor', []]);
      }
      expect(outcomeOf(await ask('operator', one, { limit: 1, cursor }))).toBe('200 with 1');
    },
  );

  test.each([...pairs(lists, listsOfMarket), ...pairs(listsOfMarket, lists)])(
    'of $from is invalid at $to',
    async ({ one, other }) => {
      const cursor = await cursorOf('owner', one, endUserIn(one));
      const answer = await ask('owner', other, { limit: 1, cursor, ...endUserIn(other) });
      expect(outcomeOf(answer)).toBe('422 invalid_cursor');
    },
  );

  test.each(pairs(lists, listsOfAll))(
    'of $from of one key is invalid in the list of all keys at $to',
    async ({ one, other }) => {
      const cursor = await cursorOf('owner', one, endUserIn(one));
      const [api_key_id] = tenants.owner.ids.api_key_id;
      for (const query of [{}, { api_key_id }, { api_key_id, end_user: COMMON_END_USER }])
        expect(outcomeOf(await ask('operator', other, { limit: 1, cursor, ...query }))).toBe(
          '422 invalid_cursor',
        );
    },
  );
});

describe.each(operations.filter((operation) => namesOf(operation, 'header').includes('Idempotency-Key')))(
  'an Idempotency-Key of another key at $method $path',
  (operation) => {
    const [sameRequest, otherRequest] = USED_IDEMPOTENCY_KEYS;
    const replayed = 'idempotent-replayed';

    test.each([
      ['the same request', sameRequest, { 'X-End-User': COMMON_END_USER }],
      ['another request', otherRequest, {}],
    ])('is unused for %s', async (_what, key, inputs) => {
      const answer = await ask('stranger', operation, {
        ...inputs,
        'Idempotency-Key': keyOf(operation, key),
      });
      expect([answer.status < 300, answer.headers.get(replayed)]).toEqual([true, null]);
      expect(tracesIn(answer.text)).toEqual([]);
      const again = { 'X-End-User': COMMON_END_USER, 'Idempotency-Key': keyOf(operation, key) };
      expect((await ask('owner', operation, again)).headers.get(replayed)).toBe('true');
    });
  },
);

test('a consent does not apply to the same end user id under another key', async () => {
  const { owner, stranger } = tenants;
  const check = async ({ rest }: typeof owner) =>
    (await rest.get('/api/v1/consent', { endUser: owner.good.end_user_id })).body;
  expect(await check(owner)).toMatchObject({ accepted: true });
  expect(await check(stranger)).toMatchObject({ accepted: false, accepted_version: null, accepted_at: null });
});

test('a track record counts only the runs of the calling key', async () => {
  const { owner, stranger } = tenants;
  const runsOnRecord = async ({ rest }: typeof owner) => {
    const { body } = await rest.get<RecordBody>('/api/v1/models/confluence_filter/record');
    return body.own.runs;
  };
  // Simulations pick nothing.
  const runsOf = async ({ rest }: typeof owner) => {
    const { body } = await rest.get<{ jobs: { status: string; kind: string }[] }>('/api/v1/jobs?limit=100');
    const succeeded = body.jobs.filter(({ status }) => status === 'succeeded');
    return { jobs: succeeded.length, runs: succeeded.filter(({ kind }) => kind === 'model_run').length };
  };
  const { jobs, runs: ofOwner } = await runsOf(owner);
  expect(owner.ids.job_id.length).toBeLessThanOrEqual(jobs);
  expect(await runsOnRecord(owner)).toBe(ofOwner);
  const { runs: ofUnauthenticated } = await runsOf(stranger);
  expect(ofUnauthenticated).not.toBe(ofOwner);
  expect(await runsOnRecord(stranger)).toBe(ofUnauthenticated);
});

test('after all these attempts the owner still has the same data', async () => {
  expect(await everythingOfOwner()).toEqual(before);
});

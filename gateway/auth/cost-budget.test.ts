import { once } from 'node:events';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { answeringByExample } from '#support/message-examples.ts';
import { ScreensServiceService } from '#proto/saring/screens/v1/screens.ts';
import { CallCost } from '#platform/grpc/call-cost.ts';
import type { ClientCall } from '../request/client-call.ts';
import { startFakes, type Fakes } from '../testing/fake-services.ts';
import { KEYS } from '../testing/fake-keys.ts';
import { startGatewayUnderTest, type GatewayUnderTest } from '../testing/gateway-under-test.ts';
import { codeOf } from '../testing/test-gateway.ts';
import { CostBudget } from './cost-budget.ts';
import { MemoryCounts } from './rate-limit-counts.ts';

/** Of a key with ten requests a minute. */
const LIMIT_MS = 1_000;
const LEAST_MS = 5;

function budgetOf() {
  const clock = { ms: 0 };
  const tellSpent = vi.fn(async () => {});
  const counts = new MemoryCounts(() => clock.ms);
  const budget = new CostBudget({ counts, msPerRequest: 100, tellSpent });
  const requestOf = (id: string) => {
    const headers: Record<string, number> = {};
    const call = {
      apiKey: { id, rate_limit_per_minute: 10 },
      apiKeyId: id,
      requestId: 'req_1',
      cost: undefined,
      setHeaders: (more: Record<string, number>) => Object.assign(headers, more),
    } as unknown as ClientCall;
    return { headers, call };
  };
  /** Sends a request whose work costs so much, and may fail before or after it was charged. */
  const send = async (
    id: string,
    costMs: number,
    { before, after }: { before?: ServiceError; after?: ServiceError } = {},
  ) => {
    const { headers, call } = requestOf(id);
    let done = 0;
    const work = budget.paying(async (_request, { cost }) => {
      // As over gRPC: what was charged comes back, whatever the outcome.
      const ofService = new CallCost(cost!.paidMs, cost!.chargedMs);
      try {
        if (before) throw before;
        ofService.charge(costMs);
        done++;
        if (after) throw after;
      } finally {
        cost!.chargedMs = ofService.chargedMs;
      }
    });
    const failure = await work(undefined as never, call).then(
      () => undefined,
      (error: unknown) => error as ServiceError,
    );
    return { headers, failure, done };
  };
  const left = async (id: string) =>
    (await budget.stateOf({ id, rate_limit_per_minute: 10 } as never)).remainingMs;
  return { clock, send, left, tellSpent };
}

test('work is paid before it begins, and done once', async () => {
  const { send, left } = budgetOf();
  const { headers, done } = await send('a', 300);
  expect(done).toBe(1);
  expect(headers).toMatchObject({ 'X-Cost': 300, 'X-Cost-Limit': LIMIT_MS, 'X-Cost-Remaining': 700 });
  expect(await left('a')).toBe(700);
});

test('a key over its budget is refused until the seconds that it is told are over, and other keys are not', async () => {
  const { clock, send, left, tellSpent } = budgetOf();
  await send('a', 450);
  clock.ms += 20_000;
  await send('a', 450);
  const { failure, headers, done } = await send('a', 101);
  expect(failure).toMatchObject({
    code: 'rate_limited',
    message:
      'The request costs 101 ms of processor time, more than is left of the 1000 ms that the key has in a minute.',
    retryAfterSeconds: 40,
  });
  expect(done).toBe(0);
  expect(headers).toMatchObject({ 'X-Cost': 0, 'X-Cost-Remaining': 100 });
  expect(tellSpent).toHaveBeenCalledExactlyOnceWith('a', LIMIT_MS, { requestId: 'req_1' });
  expect((await send('b', 101)).failure).toBeUndefined();
  expect(await left('a')).toBe(100);
  clock.ms += 40_000;
  expect((await send('a', 101)).failure).toBeUndefined();
});

test('the least is charged for work that costs less, and refused if nothing is left', async () => {
  const { send, left } = budgetOf();
  await send('a', 1);
  expect(await left('a')).toBe(LIMIT_MS - LEAST_MS);
  for (const ms of [500, 495]) await send('a', ms);
  expect(await left('a')).toBe(0);
  expect((await send('a', 1)).failure).toMatchObject({ code: 'rate_limited' });
});

test('work of any size begins, and counts as half of the budget', async () => {
  const { clock, send, left } = budgetOf();
  for (const remaining of [500, 0]) {
    expect(await send('a', 100_000)).toMatchObject({ done: 1, headers: { 'X-Cost': 500 } });
    expect(await left('a')).toBe(remaining);
  }
  const { failure } = await send('a', 100_000);
  clock.ms += failure!.retryAfterSeconds! * 1_000;
  expect((await send('a', 100_000)).done).toBe(1);
});

test('what is refused before its work costs nothing, what is refused after it costs the work, what breaks off what was paid', async () => {
  const { send, left } = budgetOf();
  const [mistake, broken] = [
    new ServiceError('invalid_request', ''),
    new ServiceError('data_unavailable', ''),
  ];
  await send('a', 300, { before: mistake });
  expect(await left('a')).toBe(1_000);
  await send('a', 300, { after: mistake });
  expect(await left('a')).toBe(700);
  await send('a', 300, { after: broken });
  expect(await left('a')).toBe(400);
});

test('requests that arrive together are not let in beyond the budget', async () => {
  const { send, left } = budgetOf();
  const all = await Promise.all(Array.from({ length: 20 }, () => send('a', 300)));
  expect(all.filter(({ done }) => done === 1)).toHaveLength(3);
  expect(await left('a')).toBe(100);
});

let services: Fakes;
let gateway: GatewayUnderTest;
let costMs = 1;
let endless: AbortSignal | undefined;
beforeAll(async () => {
  const byExample = answeringByExample(ScreensServiceService);
  services = await startFakes({
    screens: {
      previewScreen: async (request, call) => {
        if (request.rules === 'mistaken') throw new ServiceError('invalid_request', 'No.');
        if (request.rules === 'endless') {
          endless = call.signal;
          await once(endless, 'abort');
        }
        call.cost!.charge(costMs);
        return byExample.previewScreen(request, call);
      },
    },
  });
  gateway = await startGatewayUnderTest(services.address, undefined, { COST_PER_REQUEST_MS: 1 });
});
afterAll(async () => {
  await gateway?.stop();
  await services?.stop();
});

const preview = (key: string, rules: string, signal?: AbortSignal) =>
  gateway.request('/api/v1/screens/preview', key, {
    method: 'POST',
    body: JSON.stringify({ rules }),
    headers: { 'content-type': 'application/json', 'x-end-user': 'user-42' },
    ...(signal && { signal }),
  });

test('over HTTP, headers and the key say what a request has cost, and a refusal when there is more', async () => {
  for (const name of ['spending', 'saving']) KEYS[name] = { ...KEYS['all-scopes']!, id: `key_${name}` };
  const send = (key: string, rules: string, ms: number) => {
    costMs = ms;
    return preview(key, rules);
  };
  const seen = [];
  for (const [rules, ms] of [
    ['close > 1', 1],
    ['close > 1', 400],
    ['mistaken', 1],
    ['close > 1', 595],
    ['close > 1', 400],
  ] as const) {
    const response = await send('spending', rules, ms);
    const of = (name: string) => response.headers.get(name);
    seen.push([codeOf(response), of('x-cost'), of('x-cost-limit'), of('x-cost-remaining')]);
    if (response.status === 429) expect(of('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/);
  }
  expect(seen).toEqual([
    ['200 ok', '5', '1000', '995'],
    ['200 ok', '400', '1000', '595'],
    ['422 invalid_request', '0', '1000', '595'],
    ['200 ok', '500', '1000', '95'],
    ['429 rate_limited', '0', '1000', '95'],
  ]);
  expect((await send('saving', 'close > 1', 400)).status).toBe(200);
  const ofKey = async (key: string) => (await gateway.request('/api/v1/key', key)).body as object;
  expect(await ofKey('spending')).toMatchObject({ budget: { limit_ms: 1_000, remaining_ms: 95 } });
  expect(await ofKey('saving')).toMatchObject({ budget: { limit_ms: 1_000, remaining_ms: 600 } });
});

test('work for a client that has gone is given up', async () => {
  const leaves = new AbortController();
  const left = expect(preview('all-scopes', 'endless', leaves.signal)).rejects.toThrow();
  await expect.poll(() => endless).toBeDefined();
  leaves.abort();
  await left;
  await expect.poll(() => endless!.aborted).toBe(true);
});

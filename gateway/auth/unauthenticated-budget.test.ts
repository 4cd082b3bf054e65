import type { IncomingMessage } from 'node:http';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { WINDOW_MS } from './rate-limit-counts.ts';
import { UnauthenticatedBudget } from './unauthenticated-budget.ts';

const LIMIT = 3;
const OPEN_LIMIT = 5;

function budgetAt({ trustedProxies = 0 } = {}) {
  const clock = { nowMs: 5_000 };
  const config = { FAILED_AUTH_LIMIT: LIMIT, OPEN_LIMIT, TRUSTED_PROXIES: trustedProxies };
  const keys = { knows: (secret: string) => secret === 'known' };
  return {
    clock,
    budget: new UnauthenticatedBudget({ config, keys, nowMs: () => clock.nowMs }),
  };
}

function request(url: string, headers: Record<string, string> = {}, remoteAddress = '192.0.2.1') {
  return { url, headers, socket: { remoteAddress } } as unknown as IncomingMessage;
}

const MODELS = '/api/v1/models';
/** How many of these requests are let in. */
const letIn = (budget: UnauthenticatedBudget, requests: number, make: (i: number) => IncomingMessage) =>
  Array.from({ length: requests }, (_, i) => budget.check(make(i))).filter((spent) => !spent).length;

describe('the budget of an address for unauthenticated requests', () => {
  test.each<[string, (i: number) => IncomingMessage]>([
    ['no key', () => request(MODELS)],
    ['what cannot be a key', () => request(MODELS, { authorization: 'Basic abc' })],
    ['a text too long for a key', () => request(MODELS, { 'x-api-key': 'x'.repeat(300) })],
    ['unknown paths', (i) => request(`/nowhere/${i}`)],
    [
      'unknown paths with a known key, which is not looked at there',
      () => request('/', { 'x-api-key': 'known' }),
    ],
    ['paths that begin like open ones', () => request('/api/healthy')],
    ['paths that are not as the API writes them', () => request('http://gateway/api/v1/models')],
  ])('is spent by %s', (_, make) => {
    const { budget } = budgetAt();
    expect(letIn(budget, 10, make)).toBe(LIMIT);
    expect(budget.check(request(MODELS))).toEqual({ hits: LIMIT, resetInMs: WINDOW_MS });
    expect(budget.check(request(MODELS, { 'x-api-key': 'unknown' }))).toBeDefined();
    expect(budget.check(request(MODELS, { 'x-api-key': 'known' }))).toBeUndefined();
    expect(budget.check(request(MODELS, {}, '192.0.2.2'))).toBeUndefined();
  });

  test('is spent by unknown keys and by bytes that are not an HTTP request', () => {
    const { budget } = budgetAt();
    const guess = request(MODELS, { 'x-api-key': 'guess' });
    expect(letIn(budget, 10, () => guess)).toBe(10);
    for (let i = 0; i < LIMIT - 1; i++) budget.countRefusedKey(guess);
    expect(budget.check(guess)).toBeUndefined();
    expect(budget.checkBroken(guess.socket)).toBeUndefined();
    expect(budget.check(guess)).toBeDefined();
    expect(budget.checkBroken(guess.socket)).toBeDefined();
  });

  test('does not affect the budget of the open paths when it is spent', () => {
    const { budget } = budgetAt();
    expect(letIn(budget, 10, () => request('/nowhere'))).toBe(LIMIT);
    const paths = [
      '/api/health',
      '/api/health?x',
      '/api/health/',
      '/api/docs/start.js',
      '/api/openapi.json',
      '/llms.txt',
      '/docs',
      '/docs.md',
      '/docs/search?q=x',
      '/docs/images/x.png',
    ];
    expect(letIn(budget, 10, (i) => request(paths[i % paths.length]!))).toBe(OPEN_LIMIT);
  });

  test('belongs to the client address that the trusted proxies report, whatever the client claims', () => {
    const { budget } = budgetAt({ trustedProxies: 2 });
    const from = (client: string, i: number) =>
      request(MODELS, { 'x-forwarded-for': `10.0.0.${i}, ${client}, 10.1.1.1` });
    expect(letIn(budget, 10, (i) => from('192.0.2.7', i))).toBe(LIMIT);
    expect(budget.check(from('192.0.2.8', 0))).toBeUndefined();
  });
});

test('every address gets its full limit in each minute, and no more', () => {
  const step = fc.record({
    address: fc.integer({ min: 0, max: 30 }),
    waitMs: fc.constantFrom(0, 0, 0, 10, WINDOW_MS / 3, WINDOW_MS),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const { budget, clock } = budgetAt();
      const windows = new Map<number, { begunAtMs: number; admitted: number }>();
      for (const { address, waitMs } of steps) {
        clock.nowMs += waitMs;
        let window = windows.get(address);
        if (!window || clock.nowMs - window.begunAtMs >= WINDOW_MS)
          windows.set(address, (window = { begunAtMs: clock.nowMs, admitted: 0 }));
        const spent = budget.check(request(MODELS, {}, `192.0.2.${address}`));
        expect(spent === undefined).toBe(window.admitted < LIMIT);
        if (!spent) window.admitted++;
        else expect(spent.resetInMs).toBe(window.begunAtMs + WINDOW_MS - clock.nowMs);
      }
    }),
  );
});

test('a second address that spends its budget does not end the early refusal of the first', () => {
  const { clock, budget } = budgetAt();
  const guess = (address: string) => request(MODELS, { 'x-api-key': 'guess' }, address);
  const spend = (address: string) => {
    for (let i = 0; i < LIMIT; i++) budget.countRefusedKey(guess(address));
  };
  // The window of the second begins, and so ends, before that of the first.
  budget.countRefusedKey(guess('192.0.2.2'));
  clock.nowMs += WINDOW_MS / 2;
  spend('192.0.2.1');
  for (let i = 1; i < LIMIT; i++) budget.countRefusedKey(guess('192.0.2.2'));
  clock.nowMs += WINDOW_MS / 2 + 1;
  expect(budget.check(guess('192.0.2.1'))).toBeDefined();
});

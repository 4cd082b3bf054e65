import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import { panelOf } from '#quant/panel/panel-fixture.ts';
import { createLogger } from '#platform/operations/logger.ts';
import { DatasetInUse, datasetStates } from './dataset-in-use.ts';
import { marketOf } from './loaded-fixture.ts';

const panel = panelOf([{ ticker: 'AAAA', date: '2024-06-28', close: 100 }]);
const datasetOf = (version: string) => ({ version, bars: 1 }) as Dataset;
const WHOLE = { missing_days: [], missing_day_count: 0 };
const FRESH = { expected_as_of: '2024-06-28', behind_trading_days: 0, is_late: false, ...WHOLE };
const noon = () => new Date('2024-06-28T12:00:00+07:00');

// While the clock stands still no state is repeated, so a state that comes then has been reported at once.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

function watched(clock = noon) {
  const load = async () => marketOf(panel);
  const inUse = new DatasetInUse({ load, log: createLogger('test', 'silent'), onReplaced: () => {} });
  const left = new AbortController();
  const freshness = { of: ({ version }: Dataset) => ({ ...FRESH, data_as_of: version }) };
  const states = datasetStates({ inUse, freshness, clock }, left.signal);
  const next = async () => (await states.next()).value as { version: string; today: string };
  return { inUse, left, states, next };
}

/** Whether the promise is still pending after the clock has advanced by this time. */
async function isPendingAfter(ms: number, promise: Promise<unknown>): Promise<boolean> {
  let isPending = true;
  const settled = () => void (isPending = false);
  promise.then(settled, settled);
  await vi.advanceTimersByTimeAsync(ms);
  return isPending;
}

test('the stream reports the current state at once and each new version as soon as it is served', async () => {
  const { inUse, left, next } = watched();
  expect(await next()).toEqual({ version: '', today: '2024-06-28' });
  for (const version of ['v1', 'v2']) {
    const reported = next();
    inUse.use(datasetOf(version));
    const freshness = { ...FRESH, data_as_of: version };
    expect(await reported).toEqual({ version, today: '2024-06-28', freshness });
  }
  left.abort();
});

test('a version that is first served while nobody reads is not missed', async () => {
  const { inUse, left, next } = watched();
  await next();
  inUse.use(datasetOf('v1'));
  expect(await inUse.serves('v1', 1_000)).toBe(true);
  expect((await next()).version).toBe('v1');
  left.abort();
});

test('the day changes at midnight in Jakarta', async () => {
  const begun = performance.now();
  const beforeMidnight = Date.parse('2024-06-28T23:59:59.900+07:00');
  const { left, next } = watched(() => new Date(beforeMidnight + performance.now() - begun));
  expect((await next()).today).toBe('2024-06-28');
  const tomorrow = next();
  expect(await isPendingAfter(99, tomorrow)).toBe(true);
  expect(await isPendingAfter(1, tomorrow)).toBe(false);
  expect((await tomorrow).today).toBe('2024-06-29');
  left.abort();
});

test('the state is repeated every second without news, so that a changed clock is noticed', async () => {
  let now = noon();
  const { left, next } = watched(() => now);
  await next();
  now = new Date('2024-07-01T12:00:00+07:00');
  const repeated = next();
  expect(await isPendingAfter(999, repeated)).toBe(true);
  expect(await isPendingAfter(1, repeated)).toBe(false);
  expect((await repeated).today).toBe('2024-07-01');
  left.abort();
});

test('a caller that leaves ends the stream at once', async () => {
  const { left, states, next } = watched();
  await next();
  const ended = states.next();
  left.abort();
  expect(await ended).toEqual({ done: true, value: undefined });
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SourceState } from '#proto/saring/events/v1/feeds.ts';
import { createLogger } from '#platform/operations/logger.ts';
import { FeedHeartbeats, startFeedHeartbeat } from './feed-heartbeats.ts';
import { loopConnection } from '#platform/nats/connection-fixture.ts';

const connection = loopConnection();
const log = createLogger('test', 'silent');
let heard: FeedHeartbeats;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  heard = new FeedHeartbeats();
});
afterEach(() => void vi.useRealTimers());

const waiting: SourceState = { name: 'summary', format: 'idx_summary', state: 'waiting', reason: undefined };

test('for fifteen seconds nothing is known, and then that no feed runs', async () => {
  expect(heard.sources()).toBeUndefined();
  heard.listenOn(connection);
  await vi.advanceTimersByTimeAsync(15_000);
  expect(heard.sources()).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  expect(heard.sources()).toBe('none');
});

test('a feed tells its sources until it stops, and is gone fifteen seconds later', async () => {
  heard.listenOn(connection);
  let source = waiting;
  const stop = startFeedHeartbeat(connection, async () => [source], log);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(heard.sources()).toEqual([waiting]);
  source = { ...waiting, state: 'failing', reason: 'The site answered 403.' };
  await vi.advanceTimersByTimeAsync(3_000);
  expect(heard.sources()).toEqual([source]);
  await stop();
  await vi.advanceTimersByTimeAsync(15_001);
  expect(heard.sources()).toBe('none');
});

test('a feed that cannot read its sources is silent, and heard again once it can', async () => {
  heard.listenOn(connection);
  let isUnavailable = true;
  const sources = async () => {
    if (isUnavailable) throw new Error('PostgreSQL is unavailable');
    return [waiting];
  };
  const stop = startFeedHeartbeat(connection, sources, log);
  await vi.advanceTimersByTimeAsync(15_001);
  expect(heard.sources()).toBe('none');
  isUnavailable = false;
  await vi.advanceTimersByTimeAsync(3_000);
  expect(heard.sources()).toEqual([waiting]);
  await stop();
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Dataset, type WatchDatasetResponse } from '#proto/saring/market_data/v1/datasets.ts';
import { createLogger } from '#platform/operations/logger.ts';
import { NewestTradingDay, type NewestTradingDayOptions } from './newest-trading-day.ts';
import { IN_TIME } from '#support/hangs.ts';

interface Stream {
  send: (version: string) => void;
  fail: () => void;
  isLeft: () => boolean;
}

let streams: Stream[];
let published: string | undefined;
/** What `getCurrentDataset` answers. */
let version: string;
/** How often it was called. */
let asked: number;
let newest: NewestTradingDay;
let stopping: AbortController;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  streams = [];
  published = undefined;
  version = 'v1';
  asked = 0;
  stopping = new AbortController();
  const blank = Dataset.decode(new Uint8Array());
  const datasets = {
    watchDataset: (_: unknown, { signal }: { signal: AbortSignal }) => openStream(signal),
    getCurrentDataset: async () => {
      asked += 1;
      return { dataset: published === undefined ? undefined : { ...blank, version, last_date: published } };
    },
  } as unknown as NewestTradingDayOptions['datasets'];
  newest = new NewestTradingDay({ datasets, log: createLogger('test', 'silent') });
  void newest.follow(stopping.signal);
});
afterEach(() => {
  stopping.abort();
  vi.useRealTimers();
});

/** A stream that sends what the test says. It ends when the client leaves it, as a call does. */
async function* openStream(left: AbortSignal): AsyncGenerator<WatchDatasetResponse> {
  const queue: string[] = [];
  let hasFailed = false;
  let news = Promise.withResolvers<void>();
  const wake = () => {
    news.resolve();
    news = Promise.withResolvers();
  };
  left.addEventListener('abort', wake);
  streams.push({
    send: (version) => (queue.push(version), wake()),
    fail: () => ((hasFailed = true), wake()),
    isLeft: () => left.aborted,
  });
  while (!hasFailed && !left.aborted) {
    for (const version of queue.splice(0)) yield { version, today: '2024-07-01' };
    if (queue.length === 0 && !hasFailed && !left.aborted) await news.promise;
  }
  throw new Error('cancelled');
}

const nthStream = (n: number) => vi.waitFor(() => (expect(streams.length).toBe(n), streams[n - 1]!), IN_TIME);
const known = (day: string | undefined) => vi.waitFor(() => expect(newest.known?.day).toBe(day), IN_TIME);

test('the newest day is read whenever another version is served', async () => {
  const stream = await nthStream(1);
  stream.send('');
  expect(newest.known).toBeUndefined();
  published = '2024-06-28';
  stream.send('v1');
  await known('2024-06-28');
  published = '2024-07-01';
  stream.send('v1');
  version = 'v2';
  stream.send('v2');
  await known('2024-07-01');
});

test('a copy that still serves the version before does not hide the new one', async () => {
  const stream = await nthStream(1);
  published = '2024-06-28';
  stream.send('v1');
  await known('2024-06-28');
  // The watched copy serves v2, and the one that answers does not.
  stream.send('v2');
  await vi.waitFor(() => expect(asked).toBe(2), IN_TIME);
  expect(newest.known?.version).toBe('v1');
  [version, published] = ['v2', '2024-07-01'];
  stream.send('v2');
  await known('2024-07-01');
});

test('a failed stream is reopened, and the last known day is kept meanwhile', async () => {
  const stream = await nthStream(1);
  published = '2024-06-28';
  stream.send('v1');
  await known('2024-06-28');
  stream.fail();
  published = '2024-07-01';
  const next = await nthStream(2);
  expect(newest.known?.day).toBe('2024-06-28');
  version = 'v2';
  next.send('v2');
  await known('2024-07-01');
});

test('a silent stream is abandoned for a new one', async () => {
  const stream = await nthStream(1);
  published = '2024-06-28';
  stream.send('v1');
  await known('2024-06-28');
  await vi.advanceTimersByTimeAsync(3_000);
  stream.send('v1');
  await vi.advanceTimersByTimeAsync(3_000);
  expect(stream.isLeft()).toBe(false);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(stream.isLeft()).toBe(true);
  await nthStream(2);
});

test('reading the newest day without a dataset is data_unavailable', async () => {
  await expect(newest.read()).rejects.toMatchObject({ code: 'data_unavailable' });
});

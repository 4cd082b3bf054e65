import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Freshness, WatchDatasetResponse } from '#proto/saring/market_data/v1/datasets.ts';
import { createLogger } from '#platform/operations/logger.ts';
import { FollowedDataset } from './followed-dataset.ts';
import { IN_TIME } from '#support/hangs.ts';

/** Far more than a busy machine needs. */

interface Stream {
  send: (version: string, today?: string, freshness?: Freshness) => void;
  fail: (error: Error) => void;
  isLeft: () => boolean;
}

let streams: Stream[];
let dataset: FollowedDataset;
let stopping: AbortController;

beforeEach(() => {
  // Fakes only the timers of the code under test. The waits between streams are real, and short.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  streams = [];
  stopping = new AbortController();
  const log = createLogger('test', 'silent');
  dataset = new FollowedDataset({ watch: (signal) => openStream(signal), log, maxCachedBytes: 1_000 });
  void dataset.follow(stopping.signal);
});
afterEach(() => {
  stopping.abort();
  vi.useRealTimers();
});

/** A stream that sends what the test says. It ends when the signal aborts, as a call does. */
async function* openStream(left: AbortSignal): AsyncGenerator<WatchDatasetResponse> {
  const queue: WatchDatasetResponse[] = [];
  let [news, wake] = newsOf();
  let failure: Error | undefined;
  left.addEventListener('abort', () => wake());
  streams.push({
    send: (version, today = '2024-06-28', freshness) => (queue.push({ version, today, freshness }), wake()),
    fail: (error) => ((failure = error), wake()),
    isLeft: () => left.aborted,
  });
  while (!failure && !left.aborted) {
    yield* queue.splice(0);
    await news;
    [news, wake] = newsOf();
  }
  throw failure ?? new Error('cancelled');
}

function newsOf(): [Promise<void>, () => void] {
  const { promise, resolve } = Promise.withResolvers<void>();
  return [promise, resolve];
}

const nthStream = (n: number) => vi.waitFor(() => (expect(streams.length).toBe(n), streams[n - 1]!), IN_TIME);
const reported = (version: string | undefined) =>
  vi.waitFor(() => expect(dataset.edition?.version).toBe(version), IN_TIME);

test('a stream that falls silent is closed and its edition ends', async () => {
  const stream = await nthStream(1);
  stream.send('v1');
  await reported('v1');
  await vi.advanceTimersByTimeAsync(3_000);
  stream.send('v1');
  await vi.advanceTimersByTimeAsync(3_000);
  expect([dataset.edition?.version, stream.isLeft()]).toEqual(['v1', false]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect([dataset.edition, stream.isLeft()]).toEqual([undefined, true]);
});

test('an answer from an unreported version ends the edition and opens a new stream', async () => {
  const stream = await nthStream(1);
  stream.send('v1');
  await reported('v1');
  dataset.answered(dataset.edition, 'v2');
  expect([dataset.edition, stream.isLeft()]).toEqual([undefined, true]);
  stream.send('v1');
  (await nthStream(2)).send('v2');
  await reported('v2');
});

test.each([
  ['is of the present version', 'v2', 'now', true],
  ['is late, and of the version of when it was asked for', 'v1', 'before', true],
  ['is late, and of a version after the present one', 'v3', 'before', false],
  ['was asked for when nothing was known, and is of another version', 'v1', 'never', false],
])(
  'an answer ends the edition unless its version is current or that of its request: one that %s',
  async (_what, version, requested, stays) => {
    const stream = await nthStream(1);
    stream.send('v1');
    await reported('v1');
    const before = dataset.edition;
    stream.send('v2');
    await reported('v2');
    const requestedIn = { now: dataset.edition, before, never: undefined }[requested];
    dataset.answered(requestedIn, version);
    expect(dataset.edition !== undefined).toBe(stays);
  },
);

test('a stop closes the stream and ends the edition', async () => {
  const stream = await nthStream(1);
  stream.send('v1');
  await reported('v1');
  stopping.abort();
  await reported(undefined);
  expect(stream.isLeft()).toBe(true);
});

test('the freshness is that of the answering version as last reported, and of no other', async () => {
  const stream = await nthStream(1);
  const behindBy = (behind_trading_days: number): Freshness => ({
    data_as_of: '2024-06-28',
    expected_as_of: '2024-07-02',
    behind_trading_days,
    is_late: false,
    missing_days: [],
    missing_day_count: 0,
  });
  const known = () =>
    [undefined, 'v1', 'v0'].map((version) => dataset.freshnessOf(version)?.behind_trading_days);
  expect(known()).toEqual([undefined, undefined, undefined]);
  for (const days of [1, 2]) {
    stream.send('v1', '2024-06-28', behindBy(days));
    await vi.waitFor(() => expect(known()).toEqual([days, days, undefined]), IN_TIME);
  }
  const { answers } = dataset.edition!;
  stream.send('v1', '2024-06-28', behindBy(3));
  await vi.waitFor(() => expect(known()).toEqual([3, 3, undefined]), IN_TIME);
  expect(dataset.edition!.answers).toBe(answers);
  stream.fail(new Error('gone'));
  await vi.waitFor(() => expect(known()).toEqual([undefined, undefined, undefined]), IN_TIME);
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RecordRequestsRequest } from '#proto/saring/usage/v1/usage.ts';
import { createLogger } from '#platform/operations/logger.ts';
import { CountedRequests } from './counted-requests.ts';

const BATCH_MS = 5_000;
const MINUTE_MS = 60_000;

let isUnavailable: boolean;
let sent: RecordRequestsRequest[];
let tried: string[];
let counted: CountedRequests;
let nowMs: number;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  [isUnavailable, sent, tried, nowMs] = [false, [], [], 600_000];
  const recordRequests = async (batch: RecordRequestsRequest) => {
    tried.push(batch.batch_id);
    if (isUnavailable) throw new Error('unavailable');
    sent.push(batch);
    return {};
  };
  counted = new CountedRequests({
    usage: { recordRequests },
    nowMs: () => nowMs,
    log: createLogger('test', 'silent'),
  });
});
afterEach(() => vi.useRealTimers());

const answered = (durationMs = 2, change: { operation_id?: string; code?: string } = {}) =>
  counted.count({
    api_key_id: 'key_a',
    operation_id: 'getQuotes',
    status: 200,
    code: undefined,
    durationMs,
    requestId: `req_${durationMs}`,
    ...change,
  });
const requestsSent = () =>
  sent.flatMap(({ counts }) => counts).reduce((sum, { requests }) => sum + requests, 0);

test('requests are counted by minute, operation and outcome, with their latency and the last one', async () => {
  [1, 5, 3].forEach((ms) => answered(ms));
  answered(7, { code: 'not_found' });
  nowMs += MINUTE_MS;
  answered(4);
  await vi.advanceTimersByTimeAsync(BATCH_MS);
  const [batch] = sent;
  expect(batch!.counts).toMatchObject([
    {
      minute: new Date(600_000),
      requests: 3,
      total_ms: 9,
      slowest_ms: 5,
      last_request_id: 'req_3',
    },
    { code: 'not_found', requests: 1 },
    { minute: new Date(660_000), requests: 1 },
  ]);
});

test('what cannot be handed over is sent again under the same id, before what came later', async () => {
  isUnavailable = true;
  answered();
  await vi.advanceTimersByTimeAsync(BATCH_MS);
  answered();
  answered();
  await vi.advanceTimersByTimeAsync(BATCH_MS);
  expect(new Set(tried).size).toBe(1);
  isUnavailable = false;
  await vi.advanceTimersByTimeAsync(BATCH_MS);
  expect(sent.map(({ batch_id }) => batch_id)).toEqual([tried[0], tried.at(-1)]);
  expect(sent.map(({ counts }) => counts[0]!.requests)).toEqual([1, 2]);
});

test('a gateway that stops hands over what it has counted', async () => {
  answered();
  await counted.handOver();
  expect(requestsSent()).toBe(1);
});

test('while nobody takes them, only the newest batches and a bounded number of kinds are kept', async () => {
  isUnavailable = true;
  for (let batch = 0; batch < 40; batch++) {
    answered(batch);
    await vi.advanceTimersByTimeAsync(BATCH_MS);
  }
  for (let kind = 0; kind < 6_000; kind++) answered(1, { operation_id: `operation${kind}` });
  isUnavailable = false;
  await vi.advanceTimersByTimeAsync(BATCH_MS);
  expect(sent).toHaveLength(24);
  expect(sent.at(-1)!.counts).toHaveLength(5_000);
});

import { expect, test } from 'vitest';
import type { RequestCount } from '#proto/saring/usage/v1/usage.ts';
import { testUsage } from '#support/services/test-usage.ts';

const own = testUsage();
const CALL = { requestId: 'req_test' };

const counted = (change: Partial<RequestCount> = {}): RequestCount => ({
  api_key_id: 'key_a',
  operation_id: 'getQuotes',
  status: 200,
  code: undefined,
  minute: new Date('2026-11-27T10:00:00Z'),
  requests: 4,
  total_ms: 10,
  slowest_ms: 6,
  last_at: new Date('2026-11-27T10:00:30Z'),
  last_request_id: 'req_1',
  ...change,
});
const record = (batch_id: string, counts: RequestCount[]) =>
  own.calls.recordRequests({ batch_id, counts }, CALL);
const summary = async (change: object = {}, api_key_id = 'key_a') =>
  (await own.calls.summarizeRequests({ api_key_id, since: undefined, until: undefined, ...change }, CALL))
    .rows;

test('counts of several gateways add up, a batch that comes twice is stored once, and one without counts is nothing', async () => {
  const later = counted({
    minute: new Date('2026-11-27T10:05:00Z'),
    requests: 1,
    total_ms: 20,
    slowest_ms: 20,
    last_at: new Date('2026-11-27T10:05:01Z'),
    last_request_id: 'req_2',
  });
  const refused = counted({ operation_id: '', status: 429, code: 'rate_limited', requests: 9 });
  const first = [counted(), refused, counted({ api_key_id: 'key_b' })];
  for (let times = 0; times < 3; times++) await record('first', first);
  await record('second', [later]);
  await record('empty', []);
  expect(await summary()).toEqual([
    expect.objectContaining({ operation_id: undefined, status: 429, code: 'rate_limited', requests: 9 }),
    {
      operation_id: 'getQuotes',
      status: 200,
      code: undefined,
      requests: 5,
      mean_ms: 6,
      slowest_ms: 20,
      last_at: later.last_at,
      last_request_id: 'req_2',
    },
  ]);
  expect(await summary({}, 'key_b')).toMatchObject([{ requests: 4 }]);
  expect(await summary({ since: new Date('2026-11-27T10:05:00Z') })).toMatchObject([{ requests: 1 }]);
  expect(await summary({ until: new Date('2026-11-27T10:00:00Z') })).toEqual([]);
});

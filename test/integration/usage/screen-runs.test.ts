import { beforeAll, expect, test, vi } from 'vitest';
import { ScreenRunRecorded } from '#proto/saring/events/v1/usage.ts';
import { randomId } from '#foundation/ids.ts';
import { testUsage } from '#support/services/test-usage.ts';
import { IN_TIME } from '#support/hangs.ts';

const own = testUsage();
const CALL = { requestId: 'req_test' };
const KEY = 'key_of_screens';

function ran(change: Partial<ScreenRunRecorded>): ScreenRunRecorded {
  return {
    event_id: randomId('ue'),
    ts: new Date('2024-06-28T03:00:00Z'),
    api_key_id: KEY,
    end_user: 'alice',
    kind: 'screen',
    screen_id: 'scr_5f0c6f1e9a3b4d2c8e7f6a5b',
    version: 2,
    rules_text: 'close > 1',
    as_of: '2024-06-28',
    matched: 3,
    duration_seconds: 0.004,
    dataset_version: 'synthetic-20240628-1',
    request_id: 'req_one',
    ...change,
  };
}

const publish = (bytes: Uint8Array, msgID?: string) =>
  own.publisher.js.publish('screen_runs.ran', bytes, msgID === undefined ? {} : { msgID });
const send = (run: ScreenRunRecorded) => publish(ScreenRunRecorded.encode(run).finish());

const list = async (change: object = {}, api_key_id = KEY) =>
  own.calls.listScreenRuns(
    {
      api_key_id,
      end_user: undefined,
      screen_id: undefined,
      kind: undefined,
      since: undefined,
      until: undefined,
      limit: 50,
      cursor: undefined,
      ...change,
    },
    CALL,
  );

const first = ran({});
const second = ran({ ts: new Date('2024-06-28T18:00:00Z'), end_user: 'bob', duration_seconds: 0.006 });
const preview = ran({ ts: new Date('2024-06-29T03:00:00Z'), kind: 'preview', screen_id: '', version: 0 });

beforeAll(async () => {
  // Without a message id, as after the window in which the stream knows one: the ledger has the run twice.
  for (const run of [first, second, preview, first, ran({ api_key_id: 'key_other' })]) await send(run);
  await publish(Buffer.from('no message'));
  await send(ran({ as_of: 'never' }));
  const isStored = async () => {
    expect((await list()).count).toBe(3);
    expect((await list({}, 'key_other')).count).toBe(1);
  };
  await vi.waitFor(isStored, IN_TIME);
});

test('a run is listed and counted once, however often it was delivered, and on its day in Jakarta', async () => {
  const { runs } = await list();
  expect(runs.map(({ event_id }) => event_id)).toEqual([preview, second, first].map((run) => run.event_id));
  expect(runs[2]).toMatchObject({ ...first, ts: first.ts });
  const counted = async (group_by: string) => {
    const request = { api_key_id: KEY, group_by, since: undefined, until: undefined } as const;
    const { rows, total_runs } = await own.calls.summarizeScreenRuns(request, CALL);
    return [total_runs, ...rows.map(({ key, runs }) => `${key}: ${runs}`)];
  };
  expect(await counted('kind')).toEqual([3, 'screen: 2', 'preview: 1']);
  expect(await counted('day')).toEqual([3, '2024-06-29: 2', '2024-06-28: 1']);
});

test('a cursor is of its filters', async () => {
  const { next_cursor: cursor } = await list({ limit: 2 });
  await expect(list({ cursor, kind: 'screen' })).rejects.toMatchObject({ code: 'invalid_cursor' });
});

test('while ClickHouse is unavailable runs wait in the stream, and are recorded once it is back', async () => {
  await own.clickhouse.kill9();
  const late = ran({ ts: new Date('2024-06-30T03:00:00Z') });
  await send(late);
  await expect(list()).rejects.toMatchObject({ code: 'usage_unavailable' });
  await own.clickhouse.start();
  await expect.poll(async () => (await list().catch(() => undefined))?.runs[0]?.event_id).toBe(late.event_id);
  expect((await list()).count).toBe(4);
});

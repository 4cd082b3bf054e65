import { expect, test } from 'vitest';
import { UsageRecorded } from '#proto/saring/events/v1/usage.ts';
import { succeeded, usageEvent } from '#support/usage/usage-events.ts';
import { PoisonMessage, readUsageMessage } from './ledger-row.ts';

const read = (event: UsageRecorded) => readUsageMessage(UsageRecorded.encode(event).finish());

test('a final state has a higher version than started and keeps the time of acceptance', () => {
  const started = usageEvent({ ts: new Date('2026-11-20T01:02:03.004Z') });
  expect(read(started)).toMatchObject({ state_version: 1, ts: '2026-11-20 01:02:03.004', pick_count: null });
  for (const status of ['succeeded', 'failed', 'interrupted']) {
    expect(read({ ...started, status })).toMatchObject({ state_version: 2, ts: '2026-11-20 01:02:03.004' });
  }
});

test('a run without picks has a pick count of 0; a run without a summary has a null pick count', () => {
  const summary = { pick_count: 0, tickers: [], target_date: '2026-11-19' };
  expect(read({ ...succeeded(usageEvent()), summary })).toMatchObject({
    pick_count: 0,
    target_date: '2026-11-19',
  });
  expect(read(usageEvent({ status: 'failed' }))).toMatchObject({ pick_count: null, target_date: null });
});

test('params keep their names, order and JSON types', () => {
  const params = {
    strategy: 'Hybrid Score',
    min_price: 500,
    prob_weight: 0.6,
    on: true,
    none: null,
    list: ['x', 1],
  };
  expect(read(usageEvent({ params })).params).toBe(JSON.stringify(params));
});

test('a message without an actor gets its key as actor', () => {
  expect(read(usageEvent({ api_key_id: 'key_7', actor: '' }))).toMatchObject({ actor: 'key_7' });
  expect(read(usageEvent({ api_key_id: 'key_7', channel: 'scheduled', actor: 'sch_1' }))).toMatchObject({
    channel: 'scheduled',
    actor: 'sch_1',
  });
});

test('a message carries the dataset and the error code; an earlier version sent neither', () => {
  const known = { dataset_version: 'real-20240628-1', dataset_kind: 'real', error_code: 'timeout' };
  expect(read(usageEvent({ status: 'failed', ...known }))).toMatchObject(known);
  const unknown = { dataset_version: '', dataset_kind: '', error_code: '' };
  expect(read(succeeded(usageEvent()))).toMatchObject(unknown);
});

const summary = { pick_count: 1, tickers: ['BBCA'], target_date: '2026-11-19' };
test.each<[string, Partial<UsageRecorded>]>([
  ['event_id is empty', { event_id: '' }],
  ['api_key_id is empty', { api_key_id: '' }],
  ['status is', { status: 'queued' }],
  ['status is', { status: 'toString' }],
  ['ts is', { ts: undefined }],
  ['ts is', { ts: new Date('1999-12-31T23:59:59Z') }],
  ['ts is', { ts: new Date('2100-01-01T00:00:00Z') }],
  ['duration_seconds is', { duration_seconds: -1 }],
  ['duration_seconds is', { duration_seconds: Infinity }],
  ['pick_count is', { summary: { ...summary, pick_count: -1 } }],
  ['target_date is', { summary: { ...summary, target_date: '2026-02-30' } }],
  ['target_date is', { summary: { ...summary, target_date: '1026-11-19' } }],
])('a message that the ledger cannot hold is poison: %s %j', (reason, wrong) => {
  expect(() => read(usageEvent(wrong))).toThrow(PoisonMessage);
  expect(() => read(usageEvent(wrong))).toThrow(reason);
});

test('bytes that are not a message are poison', () => {
  expect(() => readUsageMessage(Buffer.from('no protobuf at all'))).toThrow(PoisonMessage);
});

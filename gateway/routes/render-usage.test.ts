import { expect, test } from 'vitest';
import type { UsageGroup } from '#proto/saring/usage/v1/usage.ts';
import { renderAdminGroup, renderEndUser, renderEvent, renderGroup, renderKeyUsage } from './render-usage.ts';

const ts = new Date('2024-06-28T02:30:00Z');
/** As the wire brings it, in the order of the message. */
const group: UsageGroup = {
  key: 'user-42',
  api_key_id: 'key_1',
  runs: 3,
  succeeded: 2,
  failed: 1,
  last_run_at: ts,
  avg_duration_seconds: 1.5,
};
const END_USER = { end_user: 'user-42', api_key_id: 'key_1', runs: 1, models: [] };
const KEY = { api_key_id: 'key_1', runs: 1, succeeded: 1, failed: 0, end_users: 1 };
const EVENT = {
  event_id: 'ue_1',
  channel: 'api',
  end_user: 'user-42',
  model_id: 'recovery_v4',
  params: {},
  status: 'started',
  duration_seconds: 0,
  summary: undefined,
  job_id: 'job_1',
  request_id: 'req_1',
  api_key_id: 'key_1',
  actor: 'key_1',
};

test('rows of a summary have their members in the contract’s order, for the operator with the key at the end', () => {
  const members = ['key', 'runs', 'succeeded', 'failed', 'avg_duration_seconds', 'last_run_at'];
  expect(Object.keys(renderGroup(group))).toEqual(members);
  expect(Object.keys(renderAdminGroup(group))).toEqual([...members, 'api_key_id']);
  expect(renderGroup(group)).toMatchObject({
    key: 'user-42',
    avg_duration_seconds: 1.5,
    last_run_at: '2024-06-28T09:30:00.000+07:00',
  });
});

test('a duration that is not known yet is null, and only rows of end users have the key they belong to', () => {
  const bare = { ...group, avg_duration_seconds: undefined, api_key_id: undefined };
  const rendered = renderAdminGroup(bare);
  expect(rendered.avg_duration_seconds).toBeNull();
  expect(rendered).not.toHaveProperty('api_key_id');
});

test.each([
  ['an event', () => renderEvent({ ...EVENT, ts: undefined })],
  ['a row', () => renderGroup({ ...group, last_run_at: undefined })],
  ['an end user', () => renderEndUser({ ...END_USER, first_seen: ts, last_seen: undefined })],
  ['a key', () => renderKeyUsage({ ...KEY, first_run_at: undefined, last_run_at: ts })],
])('%s without its moment is a fault, not one of 1970', (_, render) => {
  expect(render).toThrow('did not say when');
});

import { expect, test } from 'vitest';
import { testGateway } from './testing/test-gateway.ts';

const own = testGateway();
const SPAN = { from: '2024-01-01', to: '2024-06-28' };

function post(path: string, body: object = {}) {
  const headers = { 'x-end-user': 'user-42', 'content-type': 'application/json' };
  return own.request(path, 'all-scopes', { method: 'POST', headers, body: JSON.stringify(body) });
}

test.each([
  ['a run', '/api/v1/models/model_f_combined/runs', {}, '1'],
  ['a backfill', '/api/v1/models/model_f_combined/backfills', SPAN, '5'],
  [
    'a simulation',
    '/api/v1/simulations',
    { ...SPAN, screen_id: 'scr_5f0c6f1e9a3b4d2c8e7f6a5b', capital_idr: 100_000_000 },
    '1',
  ],
])('the answer to %s says where to poll it, and when', async (_name, path, body, seconds) => {
  own.services.runTakesMs = 20_000;
  const { status, headers, body: accepted } = await post(path, body);
  expect([status, headers.get('retry-after')]).toEqual([202, seconds]);
  const location = headers.get('location')!;
  expect(location).toMatch(/^\/api\/v1\/(jobs|backfills)\/\w+$/);
  const polled = await own.request(location, 'all-scopes');
  expect(polled.status).toBe(200);
  expect(polled.body.job_id).toBe(accepted.job_id);
});

test('a cancelled run that still stops says where to poll it; one that has ended does not', async () => {
  own.services.runTakesMs = 20_000;
  const { body: running } = await own.run('?wait=1', {});
  const stopping = await post(`/api/v1/jobs/${running.job_id}/cancel`);
  expect([stopping.status, stopping.headers.get('location')]).toEqual([
    202,
    `/api/v1/jobs/${running.job_id}`,
  ]);
  own.services.runTakesMs = 0;
  const { body: ended } = await own.run('?wait=10', {});
  const { status, headers } = await post(`/api/v1/jobs/${ended.job_id}/cancel`);
  expect([status, headers.get('location'), headers.get('retry-after')]).toEqual([200, null, null]);
});

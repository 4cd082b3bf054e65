import { afterEach, expect, test, vi } from 'vitest';
import { readEvents, type ReadEvents } from '#support/rest/event-reader.ts';
import { HEARTBEAT_MS, MAX_STREAMS_PER_KEY } from '../responses/send-events.ts';
import { codeOf, testGateway } from '../testing/test-gateway.ts';
import { rawResponse } from '../testing/raw-response.ts';

const own = testGateway();
const LONG_MS = 60_000;
const statusesOf = ({ events }: ReadEvents) => events.map(({ id }) => id);

const opened: ReadEvents[] = [];
afterEach(() => {
  for (const stream of opened.splice(0)) stream.leave();
  vi.useRealTimers();
});

async function newRun(takesMs: number): Promise<string> {
  own.services.runTakesMs = takesMs;
  return (await own.run('', {})).body.job_id!;
}

interface QueryOptions {
  lastEventId?: string;
  baseUrl?: string;
  key?: string;
}

async function eventsOf(jobId: string, requested: QueryOptions = {}): Promise<ReadEvents> {
  const { baseUrl = own.gateway.baseUrl, ...request } = requested;
  const stream = await readEvents(`${baseUrl}/api/v1/jobs/${jobId}/events`, {
    key: 'all-scopes',
    ...request,
  });
  opened.push(stream);
  return stream;
}

test('the event stream forbids caching and proxy buffering and is not compressed', async () => {
  const stream = await eventsOf(await newRun(LONG_MS));
  const { status, headers } = stream;
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-ratelimit-limit': '1000',
  });
  expect(headers['content-encoding']).toBeUndefined();
  expect(headers['x-request-id']).toMatch(/^req_/);
  await expect.poll(() => stream.retryMs).toBe(2_000);
});

test('a client that reconnects gets only the states it has missed, or 204 if there are none', async () => {
  const jobId = await newRun(LONG_MS);
  const first = await eventsOf(jobId);
  await expect.poll(() => statusesOf(first)).toEqual(['queued', 'running']);
  first.leave();
  own.services.runTakesMs = 50;
  const second = await eventsOf(jobId, { lastEventId: 'running' });
  await second.ended;
  expect(statusesOf(second)).toEqual(['succeeded']);
  const third = await eventsOf(jobId, { lastEventId: 'succeeded' });
  expect([third.status, third.events]).toEqual([204, []]);
  const late = await eventsOf(jobId);
  await late.ended;
  expect(statusesOf(late)).toEqual(['succeeded']);
});

test('an idle stream sends a heartbeat comment every 15 seconds', async () => {
  const jobId = await newRun(LONG_MS);
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const stream = await eventsOf(jobId);
  await expect.poll(() => statusesOf(stream)).toEqual(['queued', 'running']);
  vi.advanceTimersByTime(HEARTBEAT_MS - 1);
  expect(stream.comments).toEqual([]);
  vi.advanceTimersByTime(HEARTBEAT_MS + 1);
  await expect.poll(() => stream.comments).toEqual(['heartbeat', 'heartbeat']);
});

test('a client that disconnects from its stream ends the watch', async () => {
  const jobId = await newRun(LONG_MS);
  const stream = await eventsOf(jobId);
  await expect.poll(() => statusesOf(stream)).toEqual(['queued', 'running']);
  expect(own.services.unwatched.has(jobId)).toBe(false);
  stream.leave();
  await expect.poll(() => own.services.unwatched.has(jobId)).toBe(true);
});

test('a key may have a limited number of open streams, and closing one frees a place', async () => {
  const jobId = await newRun(LONG_MS);
  const busy = { key: 'under-load' };
  const opening = Array.from({ length: MAX_STREAMS_PER_KEY }, () => eventsOf(jobId, busy));
  const streams = await Promise.all(opening);
  expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
  const refused = await own.request(`/api/v1/jobs/${jobId}/events`, busy.key);
  expect(codeOf(refused)).toBe('429 rate_limited');
  expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  expect((await eventsOf(jobId)).status).toBe(200);
  streams[0]!.leave();
  await expect.poll(async () => (await eventsOf(jobId, busy)).status).toBe(200);
});

test('HEAD is answered without events while the run goes on', async () => {
  const path = `/api/v1/jobs/${await newRun(LONG_MS)}/events`;
  const { status, headers, bytes } = await rawResponse(own.gateway, path, {}, 'HEAD');
  expect([status, headers['content-type'], bytes.length]).toEqual([
    200,
    'text/event-stream; charset=utf-8',
    0,
  ]);
});

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, expect, test, vi } from 'vitest';
import { CallLimit } from '../transport/call-limit.ts';
import { followJob, type Pace } from './follow-job.ts';
import { resultOf, type FinishedJob, type Job } from '../index.ts';
import { answer, dropped, ownScriptedServer, refusal, type Reply } from '../testing/scripted-server.ts';

const server = ownScriptedServer();

const job = (status: Job['status'], more: object = {}) => ({
  job_id: 'job_1',
  status,
  result_available: status === 'succeeded',
  ...(status === 'succeeded' && { result: { model_id: 'confluence_filter', view: 'full' } }),
  ...more,
});
const failed = job('failed', { error: { message: 'Belum ada posisi yang dimasukkan.' } });

/** Streams these states, and then ends or breaks off. */
const events =
  (states: object[], breaksOff = false): Reply =>
  (res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    res.write(': hello\n\n');
    const text = states.map((state) => `event: job\ndata: ${JSON.stringify(state)}\n\n`).join('');
    res.write(text, () => (breaksOff ? res.destroy() : res.end()));
  };

/** A stream without any event. */
const begun: Reply = (res) => void res.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n');

async function statesOf(jobs: AsyncIterable<Job>): Promise<string[]> {
  const states: string[] = [];
  for await (const { status } of jobs) states.push(status);
  return states;
}
/** Like `jobs.follow`, but polls more often. */
function followed(retries = 3, pace: Partial<Pace> = {}): AsyncIterable<Job> {
  const limit = new CallLimit(20_000, undefined);
  return followJob(server.client({ retries }).rest, 'job_1', limit, {
    pollEveryMs: 50,
    silenceMs: 20_000,
    ...pace,
  });
}
const paths = () => server.received.map(({ url }) => url.replace('/api/v1', ''));

test('the client polls when a stream is refused, and requests the stream again only after several polls', async () => {
  const running = answer(job('running'));
  server.script(
    refusal(429, 'rate_limited', { 'retry-after': '5' }),
    ...Array.from({ length: 5 }, () => running),
    events([job('running'), job('succeeded')]),
  );
  expect(await statesOf(followed())).toEqual(['running', 'succeeded']);
  const polls = Array.from({ length: 5 }, () => '/jobs/job_1');
  expect(paths()).toEqual(['/jobs/job_1/events', ...polls, '/jobs/job_1/events']);
});

test.each([
  ['end', false],
  ['break off', true],
])(
  'the client resumes events that %s before the job ends, and reports no state twice',
  async (_, breaksOff) => {
    server.script(
      events([job('queued')], breaksOff),
      answer(job('queued')),
      events([job('queued'), job('running'), job('succeeded')]),
    );
    expect(await statesOf(followed())).toEqual(['queued', 'running', 'succeeded']);
    expect(paths()).toEqual(['/jobs/job_1/events', '/jobs/job_1', '/jobs/job_1/events']);
  },
);

test('the client waits for a server that is temporarily unavailable', async () => {
  server.script(...[dropped, dropped, refusal(503, 'model_unavailable'), answer(job('succeeded'))]);
  expect(await statesOf(followed(0))).toEqual(['succeeded']);
});

test('an abort ends a stream even after its request was garbage-collected', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const abort = new AbortController();
  server.script((res, received) => {
    begun(res, received);
    setTimeout(() => {
      collectGarbage();
      abort.abort(new Error('the user left'));
    }, 200);
  });
  await expect(server.client().jobs.wait('job_1', { signal: abort.signal })).rejects.toThrow('the user left');
});

test('the client switches to polling when a stream delivers no events', async () => {
  server.script(begun, answer(job('running')), answer(job('succeeded')));
  expect(await statesOf(followed(3, { silenceMs: 300 }))).toEqual(['running', 'succeeded']);
  expect(paths()).toEqual(['/jobs/job_1/events', '/jobs/job_1', '/jobs/job_1']);
});

test.each([
  ['line', 'data: '],
  ['event of many lines', 'data: a\n'],
])('the client ends a stream whose %s has no end, and polls', async (_, start) => {
  let closed: (value: unknown) => void = () => undefined;
  const isClosed = new Promise((resolve) => (closed = resolve));
  const endless: Reply = (res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' }).write(start);
    const more = () => void (res.writable && res.write(start.repeat(1_000), () => setTimeout(more, 1)));
    more();
    res.on('close', closed);
  };
  server.script(endless, answer(job('running')), answer(job('succeeded')));
  const limit = new CallLimit(20_000, undefined);
  const { rest } = server.client({ maxResponseBytes: 100_000 });
  expect(await statesOf(followJob(rest, 'job_1', limit, { pollEveryMs: 50, silenceMs: 20_000 }))).toEqual([
    'running',
    'succeeded',
  ]);
  expect(paths()).toEqual(['/jobs/job_1/events', '/jobs/job_1', '/jobs/job_1']);
  await isClosed;
});

test('a caller that stops iterating closes the stream', async () => {
  let ended: (value: unknown) => void = () => undefined;
  const closed = new Promise((resolve) => (ended = resolve));
  server.script((res) => {
    res
      .writeHead(200, { 'content-type': 'text/event-stream' })
      .write(`data: ${JSON.stringify(job('queued'))}\n\n`);
    res.on('close', ended);
  });
  for await (const _ of server.client().jobs.follow('job_1')) break;
  await closed;
});

test('the client fetches the result of a job that ended without one', async () => {
  const bare = job('succeeded', { result: undefined });
  server.script(answer(bare, 202), answer(job('succeeded')), events([bare]), answer(job('succeeded')));
  expect(resultOf(await server.client().runAndWait('confluence_filter'))).toHaveProperty('model_id');
  expect(resultOf(await server.client().jobs.wait('job_1'))).toHaveProperty('model_id');
  expect(server.received).toHaveLength(4);
});

test.each([
  ['result_unavailable', job('succeeded', { result_available: false })],
  ['run_failed', failed],
])('resultOf throws %s for a run without a result', (code, ended) => {
  expect(() => resultOf(ended as FinishedJob)).toThrow(
    expect.objectContaining({ code, jobId: 'job_1' }) as Error,
  );
});

const late =
  (reply: Reply): Reply =>
  (res, received) =>
    void setTimeout(() => reply(res, received), 600);

test('a short call timeout does not shorten the wait for a run', async () => {
  const bare = job('succeeded', { result: undefined });
  const client = server.client({ timeoutMs: 300 });
  server.script(
    late(answer(job('queued'), 202)),
    refusal(404, 'not_found'),
    late(answer(bare)),
    answer(failed),
  );
  expect(await client.runAndWait('confluence_filter')).toMatchObject({ status: 'failed' });
  server.script(events([bare]), late(answer(job('succeeded'))));
  expect(resultOf(await client.jobs.wait('job_1'))).toHaveProperty('model_id');
});

afterEach(() => vi.useRealTimers());

test('runAndWait times out after five minutes with an error that names the job', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  server.script(answer(job('queued'), 202), (res, received) => {
    begun(res, received);
    vi.advanceTimersByTime(300_000);
  });
  await expect(server.client().runAndWait('confluence_filter')).rejects.toMatchObject({
    code: 'timeout',
    jobId: 'job_1',
  });
  expect(server.received).toHaveLength(2);
});

test('an abort ends runAndWait at once with the reason of its signal', async () => {
  const abort = new AbortController();
  server.script(answer(job('queued'), 202), (res, received) => {
    begun(res, received);
    abort.abort(new Error('the user left'));
  });
  const { signal } = abort;
  await expect(server.client().runAndWait('confluence_filter', { signal })).rejects.toThrow('the user left');
  expect(server.received).toHaveLength(2);
});

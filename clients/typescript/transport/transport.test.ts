import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HANGS_AFTER_MS } from '#support/hangs.ts';
import { SaringError, type SaringClient } from '../index.ts';
import { answer, ownScriptedServer, refusal, silent, type Reply } from '../testing/scripted-server.ts';
import { retryDelayMs } from './transport.ts';

const server = ownScriptedServer();
/** What takes longer than `HANGS_AFTER_MS` has waited this long. */
const LONG_MS = 2 * HANGS_AFTER_MS;
const MODELS = answer({ models: [] });
const JOB = answer({ job_id: 'job_1', status: 'queued' }, 202);

async function failureOf(call: Promise<unknown>): Promise<SaringError> {
  const failure = await call.then(
    () => new Error('it succeeded'),
    (reason: unknown) => reason,
  );
  expect(failure).toBeInstanceOf(SaringError);
  return failure as SaringError;
}

test('each submission gets its own Idempotency-Key unless the caller provides one', async () => {
  server.script(JOB, JOB, JOB);
  const { runs } = server.client();
  await runs.submit('confluence_filter');
  await runs.submit('confluence_filter');
  await runs.submit('confluence_filter', { idempotencyKey: 'order-17' });
  const [first, second, third] = server.received.map(({ headers }) => headers['idempotency-key']);
  expect(first).not.toBe(second);
  expect(third).toBe('order-17');
});

const begun: Reply = (res) => void res.writeHead(200).write('{"models"');

test.each([
  ['no answer comes', silent],
  ['an answer begins and does not end', begun],
])('the timeout ends a call when %s', async (_, reply) => {
  for (const [ofClient, ofCall] of [
    [150, LONG_MS],
    [LONG_MS, 150],
  ]) {
    server.script(reply);
    const started = performance.now();
    const call = server
      .client({ timeoutMs: ofClient! })
      .models.list(ofClient === 150 ? {} : { timeoutMs: ofCall! });
    expect(await failureOf(call)).toMatchObject({ code: 'timeout', status: undefined });
    expect(performance.now() - started).toBeLessThan(HANGS_AFTER_MS);
    expect(server.received.length).toBeLessThanOrEqual(1);
  }
});

test('an abort ends a call at once with the reason of its signal', async () => {
  for (const first of [
    silent,
    refusal(503, 'data_unavailable', { 'retry-after': String(LONG_MS / 1_000) }),
  ]) {
    const abort = new AbortController();
    server.script((res, received) => {
      first(res, received);
      setTimeout(() => abort.abort(new Error('the user left')), 100);
    });
    const started = performance.now();
    await expect(server.client().models.list({ signal: abort.signal })).rejects.toThrow('the user left');
    expect(performance.now() - started).toBeLessThan(HANGS_AFTER_MS);
    expect(server.received).toHaveLength(1);
  }
});

test('a call with an aborted signal sends nothing', async () => {
  server.script(MODELS);
  await expect(
    server.client().models.list({ signal: AbortSignal.abort(new Error('too late')) }),
  ).rejects.toThrow('too late');
  expect(server.received).toEqual([]);
});

/** Sends spaces, which are valid before JSON, until the client closes the connection. */
const endless =
  (status: number): Reply =>
  (res) => {
    res.writeHead(status, { 'content-type': 'application/json' });
    const more = () => void (res.writable && res.write(' '.repeat(10_000), () => setTimeout(more, 1)));
    more();
  };

test.each([
  ['a result', 200, (client: SaringClient) => client.models.list()],
  ['an error', 422, (client: SaringClient) => client.models.list()],
  ['a file', 200, (client: SaringClient) => client.jobs.model('job_1')],
])('%s without an end is refused at the limit of the client', async (_, status, call) => {
  server.script(endless(status));
  expect(
    await failureOf(call(server.client({ maxResponseBytes: 100_000, timeoutMs: 20_000 }))),
  ).toMatchObject({
    code: 'unexpected_answer',
    message: 'The answer of the server is larger than 100000 bytes.',
  });
});

test('an unreachable server is reported as network_error', async () => {
  const failure = await failureOf(server.client({ baseUrl: 'http://127.0.0.1:1', retries: 0 }).models.list());
  expect(failure).toMatchObject({ code: 'network_error', status: undefined });
  expect(failure.cause).toBeInstanceOf(Error);
});

test('an invalid base URL is refused when the client is created', () => {
  expect(() => server.client({ baseUrl: 'saring' })).toThrow(/URL/);
});

test.each([
  ['.', (client: SaringClient) => client.usage.endUserEvents('.').first()],
  ['..', (client: SaringClient) => client.usage.endUserEvents('..').first()],
  ['..', (client: SaringClient) => client.jobs.model('..')],
])('an id %s, which would lead to another endpoint, is refused without a request', async (_, call) => {
  const fetched: Request[] = [];
  const fetch = (request: Request) => Promise.resolve(Response.json({ at: fetched.push(request) }));
  await expect(call(server.client({ fetch }))).rejects.toThrow(RangeError);
  expect(fetched).toEqual([]);
});

test('rest.request returns the status, headers and request id of an answer', async () => {
  server.script(answer({ models: [] }, 200, { 'x-request-id': 'req_3', 'x-ratelimit-remaining': '59' }));
  const { data, status, headers, requestId } = await server.client().rest.request('get', '/api/v1/models');
  expect([data, status, requestId, headers.get('x-ratelimit-remaining')]).toEqual([
    { models: [] },
    200,
    'req_3',
    '59',
  ]);
});

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const said = { retryAfterSeconds: undefined };

test('the retry delay is the Retry-After of the API plus at most 250 ms', () => {
  fc.assert(
    fc.property(fc.nat(3_600), fc.nat(20), random, (seconds, repetitions, chance) => {
      const delayMs = retryDelayMs({ retryAfterSeconds: seconds }, repetitions, chance);
      expect(delayMs).toBeGreaterThanOrEqual(seconds * 1_000);
      expect(delayMs).toBeLessThanOrEqual(seconds * 1_000 + 250);
    }),
  );
});

test('without Retry-After, the delay doubles up to 8 s and varies within its upper half', () => {
  fc.assert(
    fc.property(fc.nat(60), random, (repetitions, chance) => {
      const longest = Math.min(8_000, 250 * 2 ** repetitions);
      const delayMs = retryDelayMs(said, repetitions, chance);
      expect(delayMs).toBeGreaterThanOrEqual(longest / 2);
      expect(delayMs).toBeLessThanOrEqual(longest);
    }),
  );
});

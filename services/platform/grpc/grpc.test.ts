import { getEventListeners } from 'node:events';
import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { KeysServiceService, type ApiKey } from '#proto/saring/keys/v1/keys.ts';
import { RunsServiceService, type Job } from '#proto/saring/models/v1/runs.ts';
import { HANGS_AFTER_MS } from '#support/hangs.ts';
import { exampleNamed } from '#support/message-examples.ts';
import {
  clientOf,
  identityOf,
  keysClient,
  NO_TLS,
  SERVER_CONFIG,
  quietServer,
} from '#support/processes/service-process.ts';
import { ServiceError, type FieldError } from '#foundation/errors/service-error.ts';
import { createGrpcClient, type ServiceClient } from './client.ts';
import { metricsOf } from '../operations/metrics.ts';
import { GrpcServer, type Handlers } from './server.ts';
import type { Call } from './call-context.ts';

const key = (name: string) => ({ ...exampleNamed<ApiKey>('keys.v1.ApiKey'), name });

let seen: Call;
/** The other methods are no part of these tests. */
const keys = {
  listKeys: async () => ({ api_keys: [key('listed')] }),
  authenticate: async ({ secret }, call) => {
    seen = call;
    if (secret === 'detail') {
      const detail: FieldError[] = [
        { loc: ['query', 'days'], msg: 'must be ≤ 250', type: 'less_than_equal', input: 300 },
      ];
      throw new ServiceError('invalid_request', 'days: must be ≤ 250', { detail });
    }
    if (secret === 'unsendable') {
      const detail: FieldError[] = [{ loc: ['body'], msg: 'is no JSON', type: 'value_error', input: 1n }];
      throw new ServiceError('invalid_request', 'unsendable', { detail });
    }
    if (secret.startsWith('refuse:')) {
      // Cuts off the last UTF-16 unit, which may be half of a character, as a careless echo would.
      const echo = secret.slice('refuse:'.length, -1);
      const detail: FieldError[] = [{ loc: ['body', echo], msg: echo, type: 'value_error', input: echo }];
      throw new ServiceError('invalid_request', `${echo} is wrong`, { detail });
    }
    if (secret === 'bug') throw new TypeError('secret internals');
    if (secret === 'hang') await new Promise(() => {});
    return { api_key: key(secret) };
  },
} satisfies Partial<Handlers<KeysServiceService>> as unknown as Handlers<KeysServiceService>;
let cancelled = false;
let listenersLeft: number;
const JOB: Job = { ...exampleNamed<Job>('models.v1.Job'), result_json: Buffer.alloc(200_000) };
const runs = {
  watchRun: async function* ({ job_id }, { signal }) {
    for (let step = 0; job_id === 'large' && step < 60; step++) yield { job: JOB };
    listenersLeft = getEventListeners(signal, 'abort').length;
    if (job_id === 'large') return;
    if (job_id === 'half a character') yield { job: undefined };
    if (job_id === 'half a character') throw new ServiceError('job_not_found', 'half: \ud83d');
    for (let step = 0; !signal.aborted; step++) {
      if (job_id === 'fails' && step === 2) throw new ServiceError('job_not_found', 'gone');
      yield { job: undefined };
      if (job_id === 'endless') await new Promise((resolve) => setTimeout(resolve, 5));
    }
    cancelled = true;
  },
} satisfies Partial<Handlers<RunsServiceService>> as unknown as Handlers<RunsServiceService>;

const server = quietServer();
/** Deadline of calls that set none. */
const PATIENCE_MS = 2 * HANGS_AFTER_MS;
let address: string;
let client: ServiceClient<KeysServiceService>;
let watcher: ServiceClient<RunsServiceService>;

beforeAll(async () => {
  address = `127.0.0.1:${await server.add(KeysServiceService, keys).add(RunsServiceService, runs).listen()}`;
  const options = { address, tls: NO_TLS, timeoutMs: PATIENCE_MS, identity: identityOf('gateway') };
  client = createGrpcClient(KeysServiceService, { ...options, unavailableCode: 'data_unavailable' });
  watcher = createGrpcClient(RunsServiceService, { ...options, unavailableCode: 'model_unavailable' });
});
afterAll(async () => {
  client.close();
  watcher.close();
  await server.stop();
});

const call = {
  requestId: 'req_test',
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
};

test('a call carries its request id and trace context to the service', async () => {
  const { api_key } = await client.authenticate({ secret: 'abc' }, call);
  expect(api_key?.name).toBe('abc');
  expect(seen.requestId).toBe('req_test');
  expect(seen.traceparent).toBe(call.traceparent);
});

test('a ServiceError arrives with its code, message and detail', async () => {
  await expect(client.authenticate({ secret: 'detail' }, call)).rejects.toMatchObject({
    code: 'invalid_request',
    message: 'days: must be ≤ 250',
    detail: [{ loc: ['query', 'days'], input: 300 }],
  });
});

test('an unexpected error arrives as internal_error without its message', async () => {
  const failure = client.authenticate({ secret: 'bug' }, call);
  await expect(failure).rejects.toMatchObject({ code: 'internal_error' });
  await expect(failure).rejects.not.toThrow(/secret internals/);
});

test('no text in an error prevents its delivery or ends the service', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: fc.constantFrom('a', '%', '\n', '\0', 'é', '😀') }), async (text) => {
      const response = client.authenticate({ secret: `refuse:${text}` }, call);
      await expect(response).rejects.toMatchObject({ code: 'invalid_request' });
    }),
  );
  expect((await client.authenticate({ secret: 'alive' }, call)).api_key?.name).toBe('alive');
});

test('a failure that cannot be encoded arrives as internal_error at once', async () => {
  const response = client.authenticate({ secret: 'unsendable' }, call);
  await expect(response).rejects.toMatchObject({ code: 'internal_error' });
});

test('a call to a hanging service fails at the deadline with the caller’s unavailable code, in doubt', async () => {
  const begun = performance.now();
  const response = client.authenticate({ secret: 'hang' }, { ...call, timeoutMs: 200 });
  await expect(response).rejects.toMatchObject({ code: 'data_unavailable', isInDoubt: true });
  expect(performance.now() - begun).toBeLessThan(HANGS_AFTER_MS);
});

test('a call to an absent service fails with the unavailable code and is not in doubt', async () => {
  const nobody = createGrpcClient(KeysServiceService, {
    address: '127.0.0.1:1',
    unavailableCode: 'usage_unavailable',
    timeoutMs: 1_000,
    tls: NO_TLS,
  });
  const failure = { code: 'usage_unavailable', isInDoubt: false };
  for (let i = 0; i < 2; i++) await expect(nobody.listKeys({}, call)).rejects.toMatchObject(failure);
  nobody.close();
});

test('a call refused before its message is read is logged and counted like any other', async () => {
  const lines: Record<string, unknown>[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[0]) });
  const strict = new GrpcServer({ service: 'strict', config: SERVER_CONFIG, log });
  const port = await strict.add(KeysServiceService, keys).add(RunsServiceService, runs).listen();
  const method = 'saring.keys.v1.KeysService/ListKeys';
  const counted = async () => {
    const { values } = await metricsOf('strict').getSingleMetric('saring_grpc_errors_total')!.get();
    return values.find(({ labels }) => labels['method'] === method && labels['code'] === code)?.value ?? 0;
  };
  const code = 'operator_token_required';
  const before = await counted();
  await expect(keysClient(`127.0.0.1:${port}`).listKeys({}, call)).rejects.toMatchObject({ code });
  const unauthenticated = clientOf(RunsServiceService, `127.0.0.1:${port}`);
  const watched = unauthenticated
    .watchRun({ job_id: 'endless', api_key_id: '' }, call)
    [Symbol.asyncIterator]();
  await expect(watched.next()).rejects.toMatchObject({ code: 'caller_identity_required' });
  expect(await counted()).toBe(before + 1);
  expect(lines).toMatchObject([
    { request_id: 'req_test', method: `/${method}`, code, msg: 'call' },
    { request_id: 'req_test', code: 'caller_identity_required', msg: 'call' },
  ]);
  unauthenticated.close();
  await strict.stop();
});

test('a client whose identity is refused sees the service as unavailable and logs the wrong setting once', async () => {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const identity = { ...identityOf('gateway', 'token-of-another-service'), setting: 'KEYS_TOKEN', log };
  const options = {
    address,
    tls: NO_TLS,
    timeoutMs: PATIENCE_MS,
    unavailableCode: 'data_unavailable',
  } as const;
  const unauthenticated = createGrpcClient(KeysServiceService, { ...options, identity });
  for (let attempt = 0; attempt < 3; attempt++) {
    const refused = unauthenticated.authenticate({ secret: 'abc' }, call);
    await expect(refused).rejects.toMatchObject({ code: 'data_unavailable' });
  }
  unauthenticated.close();
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/KEYS_TOKEN, or the name in GRPC_TLS_CERT, does not prove/);
});

test('a failing stream delivers its earlier messages and then the error', async () => {
  let received = 0;
  const reading = (async () => {
    for await (const _ of watcher.watchRun({ job_id: 'fails', api_key_id: '' }, call)) received++;
  })();
  await expect(reading).rejects.toMatchObject({ code: 'job_not_found' });
  expect(received).toBe(2);
});

test('half a surrogate pair in a stream error arrives as a replacement character', async () => {
  const reading = (async () => {
    for await (const _ of watcher.watchRun({ job_id: 'half a character', api_key_id: '' }, call));
  })();
  await expect(reading).rejects.toMatchObject({ code: 'job_not_found', message: 'half: \ufffd' });
});

test('a stream with a slow reader delivers every message and leaves no listeners behind', async () => {
  let received = 0;
  for await (const _ of watcher.watchRun({ job_id: 'large', api_key_id: '' }, call)) {
    if (received++ % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(received).toBe(60);
  expect(listenersLeft).toBe(0);
});

test('a client that leaves a stream early ends the work on the server', async () => {
  for await (const _ of watcher.watchRun({ job_id: 'endless', api_key_id: '' }, call)) break;
  await expect.poll(() => cancelled).toBe(true);
});

import { readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { SAMPLED_LINES } from '#gateway/request/request-log.ts';
import { startFakes, type Fakes } from '#gateway/testing/fake-services.ts';
import { addressesBy } from '#local/configuration/service-table.ts';
import {
  flood,
  FLOODING_CONNECTIONS,
  FLOODS,
  PipeliningClient,
  request,
  UNAUTHENTICATED_ADDRESS,
} from '#support/rest/pipelining-client.ts';
import { errorCode, Rest } from '#support/rest/rest.ts';
import { startSecondGateway, type SecondGateway } from '../support/fleets/second-gateway.ts';
import { residentMiB } from '../support/measuring/processes.ts';
import { identityOf } from '../support/processes/service-process.ts';

const REQUESTS = 100_000;
/** How long the test watches: long enough for the first answers to get stuck, too short for any timeout. */
const WATCHED_MS = 3_000;
/** Limit on the growth of a gateway's memory due to one unauthenticated client, including garbage that is not yet collected. */
const MAX_GROWTH_MB = 100;
/** A gateway that answers no health check for longer is ended by its supervisor. */
const HEALTH_WITHIN_MS = 15_000;
const MAX_LOG_BYTES = 100_000;
/** Services are fakes in the process that floods the gateway, so their responses may come late. */
const PATIENT = { DOWNSTREAM_TIMEOUT_MS: '40000' };

let services: Fakes;
let folder: string;
beforeAll(async () => {
  services = await startFakes();
  folder = await mkdtemp(path.join(tmpdir(), 'saring-strangers-'));
});
afterAll(async () => {
  await services?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** A gateway for one test, because a spent budget stays spent for a minute, and its log. */
let gateway: SecondGateway;
let logFile: string;
const memoryMb = () => residentMiB({ gateway: gateway.pid }).get('gateway')!;
const logBytes = () => statSync(logFile).size;

async function startGateway(settings: Record<string, string> = {}): Promise<void> {
  const { address } = services;
  const { token } = identityOf('gateway');
  logFile = path.join(folder, `${performance.now()}.log`);
  const fleet = {
    addresses: addressesBy(() => address),
    gateway_tokens: {
      keys: token,
      models: token,
      usage: token,
      consent: token,
      'market-data': token,
      screens: token,
      webhooks: token,
    },
    nats_url: 'nats://127.0.0.1:1',
  };
  gateway = await startSecondGateway(fleet, { ...PATIENT, ...settings }, logFile);
}
afterEach(() => gateway?.stop());

/** Measurements from the perspective of other clients. */
interface Seen {
  slowestHealthMs: number;
  grownByMb: number;
  loggedBytes: number;
  statuses: Record<string, number>;
}

/** Polls the health, sends requests with a known key and watches the memory until the work is done. */
async function watchDuring(work: () => Promise<void>): Promise<Seen> {
  const seen: Seen = { slowestHealthMs: 0, grownByMb: 0, loggedBytes: 0, statuses: {} };
  const [memoryBefore, logBefore] = [memoryMb(), logBytes()];
  const rest = new Rest(gateway.baseUrl, 'under-load');
  const count = (what: string) => (seen.statuses[what] = (seen.statuses[what] ?? 0) + 1);
  const own = monitorEventLoopDelay({ resolution: 5 });
  own.enable();
  let isOver = false;
  const again = async (check: () => Promise<void> | void, everyMs: number) => {
    while (!isOver) {
      await check();
      await sleep(everyMs);
    }
  };
  const watching = [
    again(async () => {
      const begunMs = performance.now();
      count(`health ${(await rest.get('/api/health')).status}`);
      seen.slowestHealthMs = Math.max(seen.slowestHealthMs, performance.now() - begunMs);
    }, 50),
    again(async () => void count(`keyed ${(await rest.get('/api/v1/models')).status}`), 50),
    again(() => void (seen.grownByMb = Math.max(seen.grownByMb, memoryMb() - memoryBefore)), 20),
  ];
  await work();
  isOver = true;
  await Promise.all(watching);
  own.disable();
  // Delays of this process's own event loop lengthen the measured times.
  seen.slowestHealthMs -= own.max / 1e6;
  seen.loggedBytes = logBytes() - logBefore;
  return seen;
}

/** All data that arrives until the gateway closes the connection. */
function responsesTo(bytes: string): Promise<string> {
  const { hostname, port } = new URL(gateway.baseUrl);
  const socket = connect({ host: hostname, port: Number(port), localAddress: UNAUTHENTICATED_ADDRESS });
  socket.write(bytes);
  return text(socket);
}

test('300 connections that ask for the document and read nothing take little memory', async () => {
  await startGateway({ MAX_CONNECTIONS_PER_ADDRESS: '400', OPEN_LIMIT: '1000000' });
  const before = memoryMb();
  const sockets = flood(gateway.baseUrl, 300, () => request('/api/openapi.json').repeat(16));
  let grownByMb = 0;
  for (let check = 0; check < 30; check++) {
    await sleep(100);
    grownByMb = Math.max(grownByMb, memoryMb() - before);
  }
  if (process.env['SHOW_FIGURES']) console.log('300 connections', grownByMb);
  for (const socket of sockets) socket.destroy();
  expect(grownByMb).toBeLessThan(MAX_GROWTH_MB);
});

describe('a stranger that pipelines 100,000 requests and reads no answer', () => {
  test.each<[string, (i: number) => string]>([
    ['to unknown paths', (i) => request(`/nowhere/${i}`)],
    ['to the reference page', () => request('/api/docs/swagger-ui-bundle.js')],
    ['to the document', () => request('/api/openapi.json')],
  ])('%s neither exhausts memory nor slows other clients nor floods the log', async (how, requestNo) => {
    await startGateway();
    const rest = new Rest(gateway.baseUrl, 'under-load');
    for (let i = 0; i < 50; i++) await rest.get('/api/v1/models');
    const seen = await watchDuring(async () => {
      const unauthenticated = new PipeliningClient(gateway.baseUrl, REQUESTS, requestNo);
      await unauthenticated.untilSent(WATCHED_MS);
      await sleep(WATCHED_MS / 2);
      unauthenticated.leave();
    });
    if (process.env['SHOW_FIGURES']) console.log(how, JSON.stringify(seen));
    expect(Object.keys(seen.statuses).toSorted()).toEqual(['health 200', 'keyed 200']);
    expect(seen.grownByMb).toBeLessThan(MAX_GROWTH_MB);
    expect(seen.slowestHealthMs).toBeLessThan(HEALTH_WITHIN_MS);
    // Requests of other clients are logged too, with about 250 bytes each.
    const own = Object.values(seen.statuses).reduce((sum, count) => sum + count) * 400;
    const perHealth = how.includes('health') || how.includes('page') ? 6_000 * 400 : 0;
    expect(seen.loggedBytes).toBeLessThan(MAX_LOG_BYTES + own + perHealth);
  });
});

describe('100 connections that pipeline 20,000 requests each and read no answer', () => {
  test.each(Object.entries(FLOODS))(
    '%s take little memory, while the requests of others are answered',
    async (how, bytesOf) => {
      await startGateway();
      const rest = new Rest(gateway.baseUrl, 'under-load');
      for (let i = 0; i < 50; i++) await rest.get('/api/v1/models');
      const seen = await watchDuring(async () => {
        const sockets = flood(gateway.baseUrl, FLOODING_CONNECTIONS, bytesOf);
        await sleep(WATCHED_MS);
        for (const socket of sockets) socket.destroy();
      });
      if (process.env['SHOW_FIGURES']) console.log(how, JSON.stringify(seen));
      expect(Object.keys(seen.statuses).toSorted()).toEqual(['health 200', 'keyed 200']);
      expect(seen.grownByMb).toBeLessThan(MAX_GROWTH_MB);
      expect(seen.slowestHealthMs).toBeLessThan(HEALTH_WITHIN_MS);
    },
  );
});

test('an address over its budget gets 429 and is disconnected, while a known key from there is served', async () => {
  await startGateway({ FAILED_AUTH_LIMIT: '5' });
  const unauthenticated = new Rest(gateway.baseUrl);
  const known = new Rest(gateway.baseUrl, 'all-scopes');
  expect((await known.get('/api/v1/models')).status).toBe(200);
  const spending = [
    () => unauthenticated.get('/api/v1/models'),
    () => unauthenticated.get('/nowhere'),
    () => unauthenticated.as('guess').get('/api/v1/models'),
    () => unauthenticated.get('/api/v1/models', { headers: { authorization: 'Basic abc' } }),
    () => unauthenticated.post('/api/v1/models/model_f_combined/runs', {}),
  ];
  const responses = [];
  for (const spend of spending) responses.push((await spend()).status);
  expect(responses).toEqual([401, 404, 401, 401, 401]);
  for (const refuse of spending) {
    const refused = await refuse();
    expect([refused.status, errorCode(refused)]).toEqual([429, 'rate_limited']);
    expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d?$/);
    expect(refused.headers.get('connection')).toBe('close');
    const { error } = refused.body as { error: { request_id: string } };
    expect(error.request_id).toBe(refused.headers.get('x-request-id'));
  }
  expect((await known.get('/api/v1/models')).status).toBe(200);
  expect((await unauthenticated.get('/api/health')).status).toBe(200);
});

test('malformed requests count against the budget too', async () => {
  await startGateway({ FAILED_AUTH_LIMIT: '3' });
  const statuses = [];
  for (let i = 0; i < 5; i++) statuses.push((await responsesTo('NONSENSE\r\n\r\n')).slice(9, 12));
  expect(statuses).toEqual(['400', '400', '400', '429', '429']);
});

test('the log has a few lines of each kind of refusal and then the number of the others', async () => {
  await startGateway({ FAILED_AUTH_LIMIT: '1000' });
  const unauthenticated = new Rest(gateway.baseUrl);
  for (let i = 0; i < SAMPLED_LINES + 30; i++) await unauthenticated.get('/api/v1/models');
  for (let i = 0; i < SAMPLED_LINES + 5; i++) await unauthenticated.get('/nowhere');
  const keyed = new Rest(gateway.baseUrl, 'all-scopes');
  for (let i = 0; i < SAMPLED_LINES + 5; i++) await keyed.get('/api/v1/nowhere');
  await gateway.stop();
  const lines = readFileSync(logFile, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { msg: string; code?: string; key_id?: string; count?: number });
  const linesOf = (code: string, keyId?: string) =>
    lines.filter(({ msg, ...line }) => msg === 'request' && line.code === code && line.key_id === keyId)
      .length;
  expect([linesOf('missing_api_key'), linesOf('not_found'), linesOf('not_found', 'key_all')]).toEqual([
    SAMPLED_LINES,
    SAMPLED_LINES,
    SAMPLED_LINES + 5,
  ]);
  const counted = lines.filter(({ msg }) => msg === 'requests refused and not logged');
  expect(counted.map(({ code, count }) => [code, count])).toEqual([
    ['missing_api_key', 30],
    ['not_found', 5],
  ]);
});

test('connections per address are limited, and other addresses can still connect', async () => {
  await startGateway({ MAX_CONNECTIONS_PER_ADDRESS: '5' });
  const { hostname, port } = new URL(gateway.baseUrl);
  const open = Array.from({ length: 12 }, () => {
    const socket = connect({ host: hostname, port: Number(port), localAddress: UNAUTHENTICATED_ADDRESS });
    return socket.on('error', () => {}).resume();
  });
  await expect.poll(() => open.filter((socket) => socket.closed).length).toBe(7);
  expect((await new Rest(gateway.baseUrl).get('/api/health')).status).toBe(200);
  for (const socket of open) socket.destroy();
  await expect
    .poll(async () => (await responsesTo(request('/api/health', 'Connection: close\r\n'))).slice(9, 12))
    .toBe('200');
});

test.each([
  ['CONNECT', 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n', '405', 'method_not_allowed'],
  [
    'WebSocket',
    request('/nowhere', 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n'),
    '404',
    'not_found',
  ],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', '400', 'invalid_request'],
])('a %s attempt is answered with the error envelope', async (_, bytes, status, code) => {
  await startGateway();
  const { hostname, port } = new URL(gateway.baseUrl);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.write(bytes);
  let response = '';
  socket.on('data', (part: Buffer) => (response += part.toString()));
  await expect
    .poll(() => response)
    .toMatch(
      new RegExp(
        `^HTTP/1\\.1 ${status} .*X-Request-ID: (req_[0-9a-f]{24}).*"code":"${code}".*"request_id":"\\1"`,
        's',
      ),
    );
  if (status === '405') expect(response).toMatch(/\r\nAllow: GET, HEAD, POST\r\n/);
  socket.destroy();
});

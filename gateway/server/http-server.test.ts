import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import express from 'express';
import { describe, expect, test } from 'vitest';
import { randomId } from '#foundation/ids.ts';
import { createLogger } from '#platform/operations/logger.ts';
import { HANGS_AFTER_MS } from '#support/hangs.ts';
import { UnauthenticatedBudget } from '../auth/unauthenticated-budget.ts';
import { startGatewayUnderTest } from '../testing/gateway-under-test.ts';
import { testGateway } from '../testing/test-gateway.ts';
import { CrossOrigin } from './cross-origin.ts';
import { startHttpServer } from './http-server.ts';
import { MAX_IN_FLIGHT } from './request-queue.ts';
import { RequestLog } from '../request/request-log.ts';

const own = testGateway();
/** How long a stop here waits for requests that do not end. One that ends sooner has not waited for anything. */
const DRAIN_MS = 2 * HANGS_AFTER_MS;
const LARGE_BYTES = 64_000_000;

/** Settings that refuse nobody. */
function openDoor() {
  const most = { FAILED_AUTH_LIMIT: 1_000_000, OPEN_LIMIT: 1_000_000 };
  const place = { HOST: '127.0.0.1', PORT: 0, TRUSTED_PROXIES: 0 };
  const config = { ...most, ...place, MAX_CONNECTIONS: 100, MAX_CONNECTIONS_PER_ADDRESS: 100 };
  const nowMs = () => performance.now();
  return {
    config,
    crossOrigin: new CrossOrigin(''),
    unauthenticated: new UnauthenticatedBudget({ config, keys: { knows: () => false }, nowMs }),
    requestLog: new RequestLog(createLogger('gateway', 'silent'), nowMs, randomId, { count: () => {} }),
  };
}

/** Answers by path: `/held` when the test releases it, `/large` with more than any buffer holds, others immediately. */
async function servedByPath(own: { unreadMs?: number; drainMs?: number } = {}) {
  const { promise: mayRespond, resolve: response } = Promise.withResolvers<void>();
  const seen: string[] = [];
  const over: string[] = [];
  const app = express();
  app.use(async (req, res) => {
    seen.push(req.path);
    res.on('close', () => over.push(req.path));
    if (req.path.startsWith('/held')) await mayRespond;
    if (req.method === 'POST') res.send(`${req.path} ${await text(req)} `);
    else res.send(req.path === '/large' ? Buffer.alloc(LARGE_BYTES, 'x') : `${req.path} `);
  });
  const { port, stop } = await startHttpServer({ ...openDoor(), ...own, app });
  return { open: () => opened(port), stop, answer: response, seen, over };
}

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`;
const numbered = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}/${i}`);
/** The bodies of several consecutive answers. */
const pathsIn = (responses: string) => [...responses.matchAll(/\r\n\r\n(\/\S*)/g)].map(([, path]) => path);

async function opened(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

/** How long the work takes, in milliseconds. */
async function timeOf(work: Promise<unknown>): Promise<number> {
  const begunAtMs = performance.now();
  await work;
  return performance.now() - begunAtMs;
}

test('a stop does not wait for connections that never carried a request', async () => {
  const { open, stop } = await servedByPath({ drainMs: DRAIN_MS });
  const silent = [await open(), await open()];
  const closed = silent.map((socket) => once(socket.resume(), 'close'));
  expect(await timeOf(stop())).toBeLessThan(HANGS_AFTER_MS);
  await Promise.all(closed);
});

test('a stop lets requests finish that are in progress or partly received', async () => {
  const { open, stop, answer: response, seen } = await servedByPath({ drainMs: DRAIN_MS });
  const [underWay, arriving, silent] = [await open(), await open(), await open()];
  underWay.write(get('/held/1'));
  arriving.write('GET /held/2 HTTP/1.1\r\nHost: ');
  await expect.poll(() => seen).toEqual(['/held/1']);
  const silentClosed = once(silent.resume(), 'close');
  const stopped = stop();
  await silentClosed;
  arriving.write('a\r\n\r\n');
  await expect.poll(() => seen).toEqual(['/held/1', '/held/2']);
  response();
  for (const answered of [await text(underWay), await text(arriving)])
    expect(answered).toMatch(/^HTTP\/1\.1 200 OK.*\/held\/\d $/s);
  expect(await timeOf(stopped)).toBeLessThan(HANGS_AFTER_MS);
});

test('a stop answers a client that waits for a run at once and closes every connection', async () => {
  own.services.runTakesMs = 2 * HANGS_AFTER_MS;
  const stopping = await startGatewayUnderTest(own.services.address, undefined, { drainMs: DRAIN_MS });
  const waiting = stopping.request('/api/v1/models/model_f_combined/runs?wait=60', 'all-scopes', {
    method: 'POST',
    headers: { 'x-end-user': 'user-42' },
  });
  await expect.poll(() => own.services.submitted).toHaveLength(1);
  expect(await timeOf(stopping.stop())).toBeLessThan(HANGS_AFTER_MS);
  expect((await waiting).status).toBe(202);
  await expect(fetch(`${stopping.baseUrl}/api/health`)).rejects.toThrow();
});

describe('pipelined requests', () => {
  test('are handled a few at a time, and all answered in order', async () => {
    const { open, stop, answer: response, seen } = await servedByPath();
    const client = await open();
    const paths = numbered('/held', 5_000);
    client.write([...paths.map((path) => get(path)), get('/last', 'Connection: close\r\n')].join(''));
    await expect.poll(() => seen.length).toBe(MAX_IN_FLIGHT);
    await sleep(200);
    expect(seen.length).toBe(MAX_IN_FLIGHT);
    response();
    expect(pathsIn(await text(client))).toEqual([...paths, '/last']);
    await stop();
  });

  test('none begins while an answer waits for the client, and all are answered once it reads', async () => {
    const { open, stop, seen } = await servedByPath();
    const client = await open();
    client.pause();
    const paths = ['/large', ...numbered('/small', 3 * MAX_IN_FLIGHT)];
    client.write([...paths.map((path) => get(path)), get('/last', 'Connection: close\r\n')].join(''));
    await expect.poll(() => seen).toEqual(['/large']);
    await sleep(300);
    expect(seen).toEqual(['/large']);
    client.resume();
    let bytes = 0;
    for await (const part of client) bytes += (part as Buffer).length;
    expect(bytes).toBeGreaterThan(LARGE_BYTES);
    expect(seen).toEqual([...paths, '/last']);
    await stop();
  });

  test('may have bodies, even one that arrives while its request is queued', async () => {
    const { open, stop, answer: response, seen } = await servedByPath();
    const client = await open();
    const paths = numbered('/held', 3 * MAX_IN_FLIGHT);
    const post = (path: string, headers = '') =>
      `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n${headers}\r\n`;
    client.write(paths.map((path) => `${post(path)}body`).join('') + post('/last', 'Connection: close\r\n'));
    await expect.poll(() => seen.length).toBe(MAX_IN_FLIGHT);
    client.write('late');
    response();
    const responses = await text(client);
    expect(pathsIn(responses)).toEqual([...paths, '/last']);
    expect(responses).toMatch(/\/last late $/);
    await stop();
  });

  test('of many connections are handled in turn, so that a single request of another one is soon answered', async () => {
    const { open, stop, seen } = await servedByPath();
    const [connections, each] = [90, 200];
    const flood = numbered('/flood', each)
      .map((path) => get(path))
      .join('');
    const flooding = await Promise.all(Array.from({ length: connections }, open));
    for (const client of flooding) client.resume().write(flood);
    await expect.poll(() => seen.length, { interval: 1 }).toBeGreaterThan(0);
    const single = await open();
    single.write(get('/single', 'Connection: close\r\n'));
    expect(await text(single)).toMatch(/\/single $/);
    expect(seen.indexOf('/single')).toBeLessThan((connections * each) / 2);
    await expect.poll(() => seen.length).toBe(connections * each + 1);
    for (const client of flooding) client.destroy();
    await stop();
  });

  test('are not read while earlier ones wait, so that they stay buffered at the client', async () => {
    const { open, stop, answer: response } = await servedByPath();
    const client = await open();
    const chunk = numbered('/held', 1_000)
      .map((path) => get(path, `X-Filling: ${'x'.repeat(1_000)}\r\n`))
      .join('');
    let taken = 0;
    for (; taken < 200 && client.write(chunk); taken++);
    const before = client.bytesWritten - client.writableLength;
    for (let i = 0; i < 100; i++) client.write(chunk);
    await sleep(500);
    // The system's buffers take some megabytes of a hundred.
    expect(client.writableLength).toBeGreaterThan(50 * chunk.length);
    expect(before).toBeLessThan(50 * chunk.length);
    client.destroy();
    response();
    await stop();
  });

  test('may have a large body, which is read no faster than its request takes it', async () => {
    const { open, stop, answer: response } = await servedByPath();
    const client = await open();
    const bytes = 40_000_000;
    client.write(`POST /held HTTP/1.1\r\nHost: a\r\nContent-Length: ${bytes}\r\nConnection: close\r\n\r\n`);
    client.write(Buffer.alloc(bytes, 'x'));
    await sleep(500);
    // The system's buffers take some megabytes.
    expect(client.bytesWritten - client.writableLength).toBeLessThan(bytes / 2);
    response();
    expect((await text(client)).length).toBeGreaterThan(bytes);
    await stop();
  });

  test('are all closed when their client disconnects, even those whose turn has not come', async () => {
    const { open, stop, seen, over } = await servedByPath();
    const client = await open();
    const paths = numbered('/held', MAX_IN_FLIGHT);
    client.write(paths.map((path) => get(path)).join(''));
    await expect.poll(() => seen).toEqual(paths);
    client.destroy();
    await expect.poll(() => over.toSorted()).toEqual(paths.toSorted());
    await stop();
  });
});

// Each of these waits for timeouts, and has a server of its own.
describe.concurrent('the timeout for stalled clients', () => {
  const unreadMs = 1_000;

  test('disconnects a client that reads nothing of its answer', async () => {
    const { open, stop, over } = await servedByPath({ unreadMs });
    const client = (await open()).pause().on('error', () => {});
    client.write(get('/large'));
    await expect.poll(() => over).toEqual(['/large']);
    client.destroy();
    await stop();
  });

  test('disconnects a client that reads nothing while more of its requests wait, which never begin', async () => {
    const { open, stop, seen, over } = await servedByPath({ unreadMs });
    const client = (await open()).pause().on('error', () => {});
    client.write(['/large', ...numbered('/small', MAX_IN_FLIGHT - 1)].map((path) => get(path)).join(''));
    await expect.poll(() => over).toEqual(['/large']);
    await sleep(300);
    expect([seen, over]).toEqual([['/large'], ['/large']]);
    client.destroy();
    await stop();
  });

  test('spares a client that reads slowly and one that waits for its answer', async () => {
    // Longer than a busy machine holds up both ends at once.
    const unreadMs = 3_000;
    const { open, stop, answer: response } = await servedByPath({ unreadMs });
    const [slow, waiting] = [await open(), await open()];
    waiting.write(get('/held', 'Connection: close\r\n'));
    slow.write(get('/large', 'Connection: close\r\n'));
    const begunAtMs = performance.now();
    let received = 0;
    slow.on('data', (part: Buffer) => {
      received += part.length;
      // On a slow machine it is late already: a further pause would leave the data in the system's buffers unread for too long.
      const isAhead = (received / LARGE_BYTES) * 2.5 * unreadMs > performance.now() - begunAtMs;
      if (!isAhead) return;
      slow.pause();
      setTimeout(() => slow.resume(), 8);
    });
    await once(slow, 'end');
    expect(received).toBeGreaterThan(LARGE_BYTES);
    expect(performance.now() - begunAtMs).toBeGreaterThan(2 * unreadMs);
    response();
    expect(await text(waiting)).toMatch(/\/held $/);
    await stop();
  });

  test('disconnects a client that sends nothing', async () => {
    const { open, stop } = await servedByPath({ unreadMs });
    await once((await open()).resume(), 'close');
    await stop();
  });
});

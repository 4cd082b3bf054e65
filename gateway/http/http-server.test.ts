import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import express from 'express';
import { expect, test } from 'vitest';
import { randomId } from '#shared/ids.ts';
import { startGatewayUnderTest } from '../testing/gateway-under-test.ts';
import { ownGateway } from '../testing/own-gateway.ts';
import { startHttpServer } from './http-server.ts';

const own = ownGateway();
/** Far less than a stop gives to requests that are under way. */
const AT_ONCE_MS = 2_500;

/** A server whose answers wait until the test lets them go. */
async function slowServer() {
  const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
  let asked = 0;
  const app = express().use(async (_req, res) => {
    asked++;
    await mayAnswer;
    res.send('answered');
  });
  const { port, stop } = await startHttpServer(app, { HOST: '127.0.0.1', PORT: 0 }, randomId);
  return { open: () => opened(port), stop, answer, asked: () => asked };
}

async function opened(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

/** How long it takes. */
async function timeOf(work: Promise<unknown>): Promise<number> {
  const begunAtMs = performance.now();
  await work;
  return performance.now() - begunAtMs;
}

test('a stop waits for no connection that never carried a request', async () => {
  const { open, stop } = await slowServer();
  const silent = [await open(), await open()];
  const closed = silent.map((socket) => once(socket.resume(), 'close'));
  expect(await timeOf(stop())).toBeLessThan(AT_ONCE_MS);
  await Promise.all(closed);
});

test('a stop lets requests finish that are under way, or whose arrival has begun', async () => {
  const { open, stop, answer, asked } = await slowServer();
  const [underWay, arriving, silent] = [await open(), await open(), await open()];
  underWay.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  arriving.write('GET / HTTP/1.1\r\nHost: ');
  await expect.poll(asked).toBe(1);
  const silentClosed = once(silent.resume(), 'close');
  const stopped = stop();
  await silentClosed;
  arriving.write('a\r\n\r\n');
  await expect.poll(asked).toBe(2);
  answer();
  for (const answered of [await text(underWay), await text(arriving)])
    expect(answered).toMatch(/^HTTP\/1\.1 200 OK.*answered$/s);
  expect(await timeOf(stopped)).toBeLessThan(AT_ONCE_MS);
});

test('a stop lets a waiting client have its job at once and closes every connection', async () => {
  own.services.runTakesMs = 20_000;
  const stopping = await startGatewayUnderTest(own.services.address);
  const waiting = stopping.request('/api/v1/models/model_f_combined/runs?wait=60', 'all-scopes', {
    method: 'POST',
    headers: { 'x-end-user': 'user-42' },
  });
  await expect.poll(() => own.services.submitted).toHaveLength(1);
  expect(await timeOf(stopping.stop())).toBeLessThan(AT_ONCE_MS);
  expect((await waiting).status).toBe(202);
  await expect(fetch(`${stopping.baseUrl}/api/health`)).rejects.toThrow();
});

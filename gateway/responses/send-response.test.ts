import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import express from 'express';
import { describe, expect, test } from 'vitest';
import { routes } from '../routes/index.ts';
import { testGateway } from '../testing/test-gateway.ts';
import { rawResponse } from '../testing/raw-response.ts';
import { RenderedResponse } from './rendered-response.ts';
import { sendResponse } from './send-response.ts';

const own = testGateway();

const raw = (path: string, headers?: Record<string, string>, method?: string, body?: string) =>
  rawResponse(own.gateway, path, headers, method, body);

const STOCK = '/api/v1/data/stocks/bbca?days=250';
const tagOf = async (path: string) => (await raw(path)).headers['etag'] as string;

describe('conditional reads', () => {
  test.each([
    ['one of several', (etag: string) => `W/"other", ${etag}`, 304],
    ['the same tag written as a strong one', (etag: string) => etag.slice(2), 304],
    ['any', () => '*', 304],
    ['another', () => 'W/"other"', 200],
    ['none', () => '', 200],
    ['text that is no tag', () => 'other', 200],
  ])(
    'If-None-Match with %s gets 304 if it matches the ETag and 200 otherwise',
    async (_name, sent, expected) => {
      const { status } = await raw(STOCK, { 'if-none-match': sent(await tagOf(STOCK)) });
      expect(status).toBe(expected);
    },
  );

  test('equivalent requests get the same ETag, and a different answer gets a different one', async () => {
    const [plain, spelled, longer] = await Promise.all(
      ['bbca', 'BBCA?days=20', 'bbca?days=21'].map((rest) => tagOf(`/api/v1/data/stocks/${rest}`)),
    );
    expect(spelled).toBe(plain);
    expect(longer).not.toBe(plain);
  });

  test('the no-cache headers that fetch adds do not prevent a 304', async () => {
    const fromFetch = { 'cache-control': 'no-cache', pragma: 'no-cache' };
    const headers = { 'if-none-match': await tagOf(STOCK), ...fromFetch };
    expect((await raw(STOCK, headers)).status).toBe(304);
  });

  test('a new dataset version changes the ETag even if the numbers stay the same', async () => {
    let dataset_version = 'v1';
    const route = routes.find(({ path }) => path === '/api/v1/data/quotes')!;
    const app = express().use((req, res) =>
      sendResponse(req, res, new RenderedResponse(route, { quotes: {}, dataset_version })),
    );
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const etag = (await fetch(url)).headers.get('etag')!;
    const read = () => fetch(url, { headers: { 'if-none-match': etag } });
    expect((await read()).status).toBe(304);
    dataset_version = 'v2';
    const response = await read();
    expect([response.status, response.headers.get('x-dataset-version')]).toEqual([200, 'v2']);
    server.closeAllConnections();
    server.close();
  });

  test('HEAD is answered like GET, but without the body', async () => {
    const etag = await tagOf(STOCK);
    const head = await raw(STOCK, {}, 'HEAD');
    expect([head.status, head.headers['etag'], head.bytes.length]).toEqual([200, etag, 0]);
    expect((await raw(STOCK, { 'if-none-match': etag }, 'HEAD')).status).toBe(304);
  });

  test('market data requested with POST has a version header but no ETag; other endpoints have neither', async () => {
    const json = { 'content-type': 'application/json', 'if-none-match': '*' };
    const compared = await raw('/api/v1/data/compare', json, 'POST', '{"tickers":["BBCA"]}');
    expect([compared.status, compared.headers['x-dataset-version'], compared.headers['etag']]).toEqual([
      200,
      'synthetic-20240628-1',
      undefined,
    ]);
    const models = await raw('/api/v1/models', { 'if-none-match': '*' });
    expect([models.status, models.headers['x-dataset-version'], models.headers['etag']]).toEqual([
      200,
      undefined,
      undefined,
    ]);
  });
});

describe('compression', () => {
  test.each([
    ['gzip', 'gzip'],
    ['deflate, gzip;q=0.5, br', 'gzip'],
    ['*', 'gzip'],
    ['gzip;q=0', undefined],
    ['identity, gzip;q=0.5', undefined],
    ['br', undefined],
    ['', undefined],
  ])(
    'Accept-Encoding "%s" gives Content-Encoding %s with the same content and ETag',
    async (accepted, encoding) => {
      const plain = await raw(STOCK);
      const { headers, bytes } = await raw(STOCK, { 'accept-encoding': accepted });
      expect(headers['content-encoding']).toBe(encoding);
      expect(headers['content-length']).toBe(String(bytes.length));
      expect(encoding ? gunzipSync(bytes) : bytes).toEqual(plain.bytes);
      expect([headers['vary'], headers['etag']]).toEqual(['Accept-Encoding', plain.headers['etag']]);
      if (encoding) expect(bytes.length).toBeLessThan(plain.bytes.length / 2);
    },
  );

  test('a client without Accept-Encoding gets an uncompressed answer', async () => {
    expect((await raw(STOCK)).headers['content-encoding']).toBeUndefined();
  });

  test('a short body is not compressed', async () => {
    const short = await raw('/api/v1/data/quotes?tickers=BBCA', { 'accept-encoding': 'gzip' });
    expect([short.headers['content-encoding'], short.headers['vary']]).toEqual([
      undefined,
      'Accept-Encoding',
    ]);
  });
});

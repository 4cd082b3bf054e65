import express from 'express';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { randomId } from '#foundation/ids.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { sendErrors } from './errors.ts';
import { bodyReader } from '../validation/read-body.ts';
import { requestContext } from '../request/request-context.ts';

const app = express();
app.use(requestContext(randomId, () => 0));
app.get('/throws/:status', (req) => {
  throw Object.assign(new Error('from a library'), {
    status: Number(req.params.status),
    type: 'of a library',
  });
});
app.get('/undecodable', () => {
  decodeURIComponent('%zz');
});
app.get('/renamed', () => {
  const detail = {
    loc: ['path', 'ticker'],
    msg: '',
    type: 'value_error' as const,
    ctx: { new_ticker: 'BBBB' },
  };
  throw new ServiceError('not_found', 'AAAA has been called BBBB since 2024-03-07.', { detail: [detail] });
});
app.get('/unknown', () => {
  throw new ServiceError('not_found', 'There is no data for the ticker AAAA.');
});
app.post('/body', async (req, res) => void res.json(await bodyReader(1_000)(req, res)));
app.use(sendErrors(pino({ level: 'silent' }), { nameRefusal: () => {} }));
const server = createServer(app);
let baseUrl: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

async function responseOf(path: string, init?: RequestInit) {
  const response = await fetch(baseUrl + path, init);
  const { error, detail } = (await response.json()) as {
    error: { code: string };
    detail?: { type: string }[];
  };
  return [response.status, error.code, ...(detail ?? []).map(({ type }) => type)];
}

test.each(['/throws/400', '/throws/403', '/throws/412', '/throws/416', '/throws/500', '/undecodable'])(
  'an error that a library throws at %s is answered as an internal error, never as a client error',
  async (path) => expect(await responseOf(path)).toEqual([500, 'internal_error']),
);

test('what is not found has a detail only if there is one', async () => {
  expect(await responseOf('/renamed')).toEqual([404, 'not_found', 'value_error']);
  expect(await responseOf('/unknown')).toEqual([404, 'not_found']);
});

test('a body with too many bytes once unpacked is refused as too large', async () => {
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  const body = gzipSync(`"${'x'.repeat(1_000)}"`);
  expect(await responseOf('/body', { method: 'POST', body, headers })).toEqual([413, 'payload_too_large']);
});

import { expect, test } from 'vitest';
import { testGateway } from '../testing/test-gateway.ts';

const own = testGateway();

test.each([
  { range: 'bytes=9999999999-' },
  { 'if-match': '"other"' },
  { 'if-unmodified-since': new Date(0).toUTCString() },
])(
  'a file of the reference page is sent whole despite %o, and as 304 to a client that has it',
  async (headers) => {
    const file = `${own.gateway.baseUrl}/api/docs/swagger-ui.css`;
    const response = await fetch(file, { headers });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
    expect((await response.text()).length).toBeGreaterThan(10_000);
    // Without a Cache-Control header, `fetch` would ask for a new copy.
    const asking = { 'if-none-match': response.headers.get('etag')!, 'cache-control': 'max-age=0' };
    const known = await fetch(file, { headers: asking });
    expect(known.status).toBe(304);
  },
);

test('the document is the same compressed and not, under one tag', async () => {
  const url = `${own.gateway.baseUrl}/api/openapi.json`;
  const [plain, compressed] = await Promise.all(
    ['identity', 'gzip'].map((encoding) => fetch(url, { headers: { 'accept-encoding': encoding } })),
  );
  expect(compressed!.headers.get('content-encoding')).toBe('gzip');
  expect(compressed!.headers.get('etag')).toBe(plain!.headers.get('etag'));
  expect(await compressed!.text()).toBe(await plain!.text());
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startGatewayUnderTest } from '../testing/gateway-under-test.ts';
import { testGateway } from '../testing/test-gateway.ts';

const own = testGateway();
const HEADERS = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };

const send = (body: unknown, { baseUrl } = own.gateway) =>
  fetch(`${baseUrl}/mcp`, {
    method: 'POST',
    headers: { authorization: 'Bearer all-scopes', ...HEADERS },
    body: JSON.stringify(body),
  });

/** The message of a response, which is one event of a stream or a body of its own. */
async function messageOf(response: Response): Promise<{ result?: unknown; error?: { code: unknown } }> {
  const text = await response.text();
  return JSON.parse(/^data: (.+)$/m.exec(text)?.[1] ?? text) as object;
}

const call = (name: string, given: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: given },
});

const anyMessage = fc.oneof(
  fc.json().map((text) => JSON.parse(text) as unknown),
  fc.record(
    {
      jsonrpc: fc.constantFrom('2.0', '1.0', 2),
      id: fc.oneof(fc.integer(), fc.string(), fc.constant(null)),
      method: fc.oneof(
        fc.constantFrom(
          'initialize',
          'tools/list',
          'tools/call',
          'resources/read',
          'notifications/cancelled',
        ),
        fc.string(),
      ),
      params: fc.oneof(
        fc.object(),
        fc.record({ name: fc.constantFrom('market_today', 'look_at_stock', 'x'), arguments: fc.object() }),
        fc.record({ uri: fc.string(), requestId: fc.anything() }),
      ),
    },
    { requiredKeys: [] },
  ),
);

test('whatever an agent sends is answered by a result, an error of the protocol or one of the API', async () => {
  await fc.assert(
    fc.asyncProperty(anyMessage, async (sent) => {
      const response = await send(sent);
      expect(response.status).toBeLessThan(500);
      // A notification has no answer.
      const { result, error } =
        response.status === 202
          ? { result: await response.text(), error: undefined }
          : await messageOf(response);
      expect(result ?? error?.code).toBeDefined();
    }),
    { numRuns: 300 },
  );
});

test('a tool whose service is unavailable answers the code of the API', async () => {
  const MARKET_DATA_ADDRESS = '127.0.0.1:1';
  const gateway = await startGatewayUnderTest(own.services.address, undefined, { MARKET_DATA_ADDRESS });
  const { result } = await messageOf(await send(call('market_today', {}), gateway));
  const says = expect.stringMatching(/^data_unavailable: /) as string;
  expect(result).toMatchObject({ isError: true, content: [{ text: says }] });
  await gateway.stop();
});

test('a session of a browser needs its token here too', async () => {
  const response = await fetch(`${own.gateway.baseUrl}/mcp`, {
    method: 'POST',
    headers: { ...HEADERS, cookie: 'saring_session=all-scopes' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  });
  const { error } = (await response.json()) as { error: { code: string } };
  expect([response.status, error.code]).toEqual([403, 'csrf_token_required']);
});

test('pages of listed origins may call it, with the headers of the protocol', async () => {
  const origin = 'https://app.example.com';
  const gateway = await startGatewayUnderTest(own.services.address, undefined, { CORS_ORIGINS: origin });
  const asked = {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'mcp-session-id',
  };
  const preflight = await gateway.request('/mcp', undefined, { method: 'OPTIONS', headers: asked });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('access-control-allow-headers')).toContain('Mcp-Session-Id');
  const initialize = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const response = await fetch(`${gateway.baseUrl}/mcp`, {
    method: 'POST',
    headers: { authorization: 'Bearer all-scopes', origin, ...HEADERS },
    body: JSON.stringify(initialize),
  });
  expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, origin]);
  await response.body?.cancel();
  await gateway.stop();
});

test('is not there where the operator has turned it off', async () => {
  const gateway = await startGatewayUnderTest(own.services.address, undefined, { MCP: false });
  const { status, body } = await gateway.request('/mcp', 'all-scopes', { method: 'POST' });
  expect([status, body.error?.code]).toEqual([404, 'not_found']);
  await gateway.stop();
});

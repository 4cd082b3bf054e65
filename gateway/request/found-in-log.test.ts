import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startFakes, type Fakes } from '../testing/fake-services.ts';
import { startGatewayUnderTest, type GatewayUnderTest } from '../testing/gateway-under-test.ts';
import { answerToBytes } from '../testing/raw-response.ts';
import { SAMPLED_LINES } from './request-log.ts';

interface Line {
  request_id?: string;
  status?: number;
  code?: string;
}

const FAILED_AUTH_LIMIT = SAMPLED_LINES + 20;
const SECRET = 'sar_0123456789abcdefghijklmnopqrstuv';
let services: Fakes;
let gateway: GatewayUnderTest;
let logged: string[];

beforeAll(async () => {
  services = await startFakes();
});
afterAll(() => services?.stop());
beforeEach(async () => {
  logged = [];
  const log = pino({ level: 'info' }, { write: (line) => logged.push(line) });
  gateway = await startGatewayUnderTest(services.address, log, { FAILED_AUTH_LIMIT });
  return () => gateway.stop();
});

const lines = () => logged.map((line) => JSON.parse(line) as Line);
const linesOf = (id: string) => lines().filter(({ request_id }) => request_id === id);

interface Answer {
  id: string;
  status: number;
  code: string | undefined;
}

async function answerTo(path: string, secret?: string, init: RequestInit = {}): Promise<Answer> {
  const { status, headers, body } = await gateway.request(path, secret, init);
  expect(body.error?.request_id).toBe(headers.get('x-request-id'));
  return { id: headers.get('x-request-id')!, status, code: body.error?.code };
}

/** The answer to bytes that need not be a request. */
async function refusalOfBytes(bytes: string): Promise<Answer> {
  const [head = '', body = ''] = (await answerToBytes(gateway, bytes)).split('\r\n\r\n');
  const { error } = JSON.parse(body) as { error: { code: string; request_id: string } };
  expect(head).toContain(`X-Request-ID: ${error.request_id}`);
  return { id: error.request_id, status: Number(head.slice(9, 12)), code: error.code };
}

test('whatever is refused or fails is found in the log by its id, with its path, status and code, and no secret', async () => {
  const json = { 'content-type': 'application/json' };
  const answers = [
    await answerTo('/api/v1/models'),
    await answerTo(`/api/v1/models/${SECRET}?key=${SECRET}`, SECRET),
    await answerTo('/nowhere'),
    await answerTo('/api/v1/data/quotes?tickers=%zz', 'all-scopes'),
    await answerTo('/api/v1/data/stocks/%E0%A4%A', 'all-scopes'),
    await answerTo('/api/v1/usage/summary', 'data-only'),
    await answerTo('/api/v1/data/compare', 'all-scopes', { method: 'POST', headers: json, body: '{' }),
    await answerTo('/api/v1/models', 'all-scopes', { method: 'DELETE' }),
    await refusalOfBytes('NONSENSE\r\n\r\n'),
    await refusalOfBytes('CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n'),
    await refusalOfBytes(`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`),
  ];
  expect(answers.map(({ status }) => status)).toEqual([
    401, 401, 404, 422, 422, 403, 422, 405, 400, 405, 431,
  ]);
  for (const { id, status, code } of answers)
    await expect.poll(() => linesOf(id)).toEqual([expect.objectContaining({ status, code })]);
  expect(logged.join('')).not.toContain(SECRET);
});

test('each refusal of a flood is found by its id too, although fewer lines than that are logged', async () => {
  const flood = FAILED_AUTH_LIMIT + SAMPLED_LINES + 50;
  const answers: Answer[] = [];
  for (let i = 0; i < flood; i++) answers.push(await answerTo('/api/v1/models', `sar_wrong_${i}`));
  // The last line of a request is written after its answer.
  for (const { id, status, code } of answers)
    await expect.poll(() => linesOf(id)[0]).toMatchObject({ status, code });
  expect(new Set(answers.map(({ id }) => id)).size).toBeLessThan(flood);
});

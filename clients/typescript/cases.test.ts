import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  answer,
  brokenOff,
  dropped,
  ownScriptedServer,
  refusal,
  type Reply,
} from './testing/scripted-server.ts';
import { inCamelCase, made, sharedCases, type NamedCall, type NamedError } from './testing/shared-cases.ts';
import { SaringError } from './index.ts';
import { verifyWebhook } from './verify-webhook.ts';

interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
  text?: string;
  refusal?: string;
}

interface Case extends NamedCall {
  name: string;
  client?: { base_url?: string } & Record<string, unknown>;
  exchanges: {
    request: string;
    headers?: Record<string, string | null>;
    body?: unknown;
    after_ms?: number;
    answer: Answer | 'dropped' | 'broken off';
  }[];
  result?: unknown;
  error?: NamedError;
}

/** Timers of Node may fire a little early. */
const EARLY_MS = 5;

const server = ownScriptedServer();

function replyOf(scripted: Answer | 'dropped' | 'broken off'): Reply {
  if (scripted === 'dropped') return dropped;
  if (scripted === 'broken off') return brokenOff;
  const { status, headers, body, text, refusal: code } = scripted;
  if (code !== undefined) return refusal(status, code, headers);
  if (text !== undefined) return (res) => res.writeHead(status, headers).end(text);
  return answer(body, status, headers);
}

/** The members of an error that a case names, as it names them. */
function named(failure: SaringError, expected: NamedError): NamedError {
  const members = inCamelCase(expected);
  return Object.fromEntries(
    Object.keys(expected).map((name, i) => {
      const value =
        name === 'message' ? failure.message : failure[Object.keys(members)[i] as keyof SaringError];
      return [name, typeof value === 'string' ? value.replace(server.baseUrl, '<server>') : (value ?? null)];
    }),
  );
}

function expectExchanges(exchanges: Case['exchanges']): void {
  expect(server.received.map(({ method, url }) => `${method} ${url}`)).toEqual(
    exchanges.map(({ request }) => request),
  );
  const keys = new Set<unknown>();
  for (const [i, { headers = {}, body, after_ms: afterMs }] of exchanges.entries()) {
    const received = server.received[i]!;
    for (const [name, value] of Object.entries(headers)) {
      if (value !== '<uuid>') expect(received.headers[name] ?? null, name).toBe(value);
      else {
        expect(received.headers[name]).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
        keys.add(received.headers[name]);
      }
    }
    if (body !== undefined) expect(received.body === '' ? null : JSON.parse(received.body)).toEqual(body);
    if (afterMs !== undefined)
      expect(received.atMs - server.received[i - 1]!.atMs).toBeGreaterThanOrEqual(afterMs - EARLY_MS);
  }
  expect(keys.size).toBeLessThanOrEqual(1);
}

describe.each(['requests', 'retries', 'lists', 'following'])('of the %s that all clients share:', (file) => {
  test.each(sharedCases<Case[]>(`${file}.json`))('$name', async ({ exchanges, result, error, ...call }) => {
    server.script(...exchanges.map((exchange) => replyOf(exchange.answer)));
    const { base_url = '<server>' } = call.client ?? {};
    const baseUrl = base_url.replace('<server>', server.baseUrl);
    const outcome = made(server.client({ ...inCamelCase(call.client ?? {}), baseUrl }), call);
    if (error === undefined) expect(await outcome).toEqual(result);
    else {
      const failure = await outcome.then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(failure).toBeInstanceOf(SaringError);
      expect(named(failure as SaringError, error)).toEqual(error);
    }
    expectExchanges(exchanges);
  });
});

test.each(sharedCases<[number, string][]>('refusals.json'))(
  'a %i is thrown as %s, without a retry',
  async (status, code) => {
    server.script(refusal(status, code));
    const outcome = server.client().runs.submit('model_f_combined');
    const docsUrl = `${server.baseUrl}/api/docs/errors/${code}`;
    const told = { code, status, message: `It is ${code}.`, requestId: 'req_1', docsUrl };
    await expect(outcome).rejects.toMatchObject(told);
    await expect(outcome).rejects.toBeInstanceOf(SaringError);
    expect(server.received).toHaveLength(1);
  },
);

interface Webhooks {
  now_seconds: number;
  body: string;
  headers: Record<string, string>;
  secret: string;
  event: unknown;
  cases: { name: string; headers?: Record<string, string | null>; secret?: string; error?: string }[];
}

describe('of the webhooks that all clients share:', () => {
  const { now_seconds: nowSeconds, body, event, cases, ...usual } = sharedCases<Webhooks>('webhooks.json');
  afterEach(() => void vi.useRealTimers());

  test.each(cases)('$name', async ({ headers, secret = usual.secret, error }) => {
    vi.useFakeTimers({ now: nowSeconds * 1_000, toFake: ['Date'] });
    const sent = Object.entries({ ...usual.headers, ...headers }).filter(([, value]) => value !== null);
    const outcome = verifyWebhook(body, Object.fromEntries(sent) as Record<string, string>, secret);
    if (error === undefined) expect(await outcome).toEqual(event);
    else await expect(outcome).rejects.toThrow(error);
  });
});

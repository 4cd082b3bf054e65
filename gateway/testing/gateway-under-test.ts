import { hash } from 'node:crypto';
import { createLogger } from '#platform/operations/logger.ts';
import { identityOf, NO_TLS, OPERATOR_TOKEN } from '#support/processes/service-process.ts';
import { settings, type GatewayConfig } from '../config.ts';
import { openGateway } from '../open-gateway.ts';

/** A gateway on a free port, with all its services at one address. `request` sends the key of `secret`, if any. */
export interface GatewayUnderTest {
  baseUrl: string;
  request: (path: string, secret?: string, init?: RequestInit) => Promise<TestResponse>;
  /** Does what a change of a key, announced over NATS, does. */
  announceChange: (keyId: string) => void;
  /** Stops as the process does on a signal. */
  stop: () => Promise<void>;
}

export interface TestResponse {
  status: number;
  headers: Headers;
  body: TestBody;
}

/** The members of bodies that tests read. */
interface TestBody {
  error?: { code: string; message: string; request_id: string };
  detail?: object[];
  job_id?: string;
  status?: string;
  duration_seconds?: number;
  result?: { df_result: object[] };
}

export async function startGatewayUnderTest(
  address: string,
  log = createLogger('gateway', 'silent'),
  { drainMs, ...own }: Partial<GatewayConfig> & { drainMs?: number } = {},
): Promise<GatewayUnderTest> {
  const { token } = identityOf('gateway');
  const ofServices = (name: string) => (name.endsWith('_ADDRESS') ? address : token);
  const usual = Object.entries(settings).map(([name, { default: byDefault }]) => [
    name,
    /_(?:ADDRESS|TOKEN)$/.test(name) ? ofServices(name) : byDefault,
  ]);
  const forTests = {
    ...NO_TLS,
    PORT: 0,
    BODY_LIMIT: 10_000,
    FAILED_AUTH_LIMIT: 20,
    OPEN_LIMIT: 1_000,
    TRUSTED_PROXIES: 1,
    DOWNSTREAM_TIMEOUT_MS: 10_000,
    OPERATOR_API: 'on',
    OPERATOR_TOKEN_SHA256: hash('sha256', OPERATOR_TOKEN, 'hex'),
  };
  const config = { ...Object.fromEntries(usual), ...forTests, ...own } as GatewayConfig;
  const stops: (() => unknown)[] = [];
  const defer = (_part: string, stop: () => unknown) => void stops.unshift(stop);
  const { keys, serve } = await openGateway({
    config,
    log,
    defer,
    ...(drainMs !== undefined && { drainMs }),
  });
  const baseUrl = `http://127.0.0.1:${await serve()}`;
  return {
    baseUrl,
    request: (path, secret, init) => send(baseUrl + path, secret, init),
    announceChange: (keyId) => keys.outdate(keyId),
    stop: async () => {
      for (const stop of stops) await stop();
    },
  };
}

async function send(url: string, secret: string | undefined, init: RequestInit = {}): Promise<TestResponse> {
  const headers = { ...(secret && { authorization: `Bearer ${secret}` }), ...(init.headers as object) };
  const response = await fetch(url, { ...init, headers });
  const text = await response.text();
  const body = (text === '' ? {} : JSON.parse(text)) as TestBody;
  return { status: response.status, headers: response.headers, body };
}

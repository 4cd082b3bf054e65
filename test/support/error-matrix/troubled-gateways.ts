import { createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { startGatewayUnderTest, type GatewayUnderTest } from '#gateway/testing/gateway-under-test.ts';
import type { GatewayConfig } from '#gateway/config.ts';
import { KEYS } from '#gateway/testing/fake-keys.ts';
import { startFakes } from '#gateway/testing/fake-services.ts';
import type { GetScreenPastResponse, PrepareSimulationResponse } from '#proto/saring/screens/v1/screens.ts';
import { SCOPES } from '#shared/scopes.ts';
import { createLogger } from '#platform/operations/logger.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { exampleNamed } from '../message-examples.ts';
import { startFaultyServices } from './faulty-services.ts';

/** This key has every right at these gateways. */
export const FAKE_KEY = 'matrix';
/** Nothing listens at this port; only root may bind it. */
const NOWHERE = '127.0.0.1:1';
/**
 * How long the gateway waits for others when something is silent. The other gateways wait longer, so that nothing times out on
 * a busy machine.
 */
const SHORT_DEADLINE_MS = 1_500;
const LONG_DEADLINE_MS = 20_000;

/**
 * What is broken, and how. `unavailable`: nothing listens; with `models unavailable` the screens service works and knows one screen, by model. `silent`: it accepts connections and never answers. `faulty`: every call
 * has a bug. With `one open request` the gateway accepts one request a minute from each address without a key.
 */
export type Trouble =
  | 'none'
  | 'one open request'
  | 'models unavailable'
  | `${'keys' | 'services'} ${'unavailable' | 'silent' | 'faulty'}`;

/** Starts a gateway for each trouble. Parts that work are fakes. */
export async function startTroubledGateways() {
  issueKey(FAKE_KEY, 1_000_000);
  const [fakes, withoutModels, faulty, silent] = await Promise.all([
    startFakes({ marketData: { scanNegoWindow: noData, listFlows: noData } }),
    startFakes({ screens: SCREENS_WITHOUT_MODELS }),
    startFaultyServices(),
    startSilentServer(),
  ]);
  const addresses = { unavailable: NOWHERE, silent: silent.address, faulty: faulty.address };
  const gateways = new Map<Trouble, GatewayUnderTest>([
    ['none', await gatewayAt(fakes.address)],
    [
      'models unavailable',
      await gatewayAt(withoutModels.address, fakes.address, LONG_DEADLINE_MS, { MODELS_ADDRESS: NOWHERE }),
    ],
    ['one open request', await gatewayAt(fakes.address, fakes.address, LONG_DEADLINE_MS, { OPEN_LIMIT: 1 })],
  ]);
  for (const [kind, address] of Object.entries(addresses) as [keyof typeof addresses, string][]) {
    const deadlineMs = kind === 'silent' ? SHORT_DEADLINE_MS : LONG_DEADLINE_MS;
    gateways.set(`keys ${kind}`, await gatewayAt(fakes.address, address, deadlineMs));
    const operations = { OPERATIONS_URLS: `faulty=${faulty.operationsUrl}` };
    gateways.set(`services ${kind}`, await gatewayAt(address, fakes.address, deadlineMs, operations));
  }
  return {
    baseUrl: (trouble: Trouble) => gateways.get(trouble)!.baseUrl,
    /** A new key that may send this many requests a minute. */
    limitedKey: (perMinute: number) => issueKey(`limited-${Object.keys(KEYS).length}`, perMinute),
    stop: async () => {
      await Promise.all([...gateways.values()].map((gateway) => gateway.stop()));
      await silent.stop();
      await Promise.all([fakes.stop(), withoutModels.stop(), faulty.stop()]);
    },
  };
}

function gatewayAt(
  services: string,
  keys = services,
  deadlineMs = LONG_DEADLINE_MS,
  own: Partial<GatewayConfig> = {},
): Promise<GatewayUnderTest> {
  return startGatewayUnderTest(services, createLogger('gateway', 'silent'), {
    KEYS_ADDRESS: keys,
    DOWNSTREAM_TIMEOUT_MS: deadlineMs,
    FAILED_AUTH_LIMIT: 1_000_000,
    OPEN_LIMIT: 1_000_000,
    ...own,
  });
}

function issueKey(secret: string, perMinute: number): string {
  const { 'all-scopes': usual } = KEYS;
  const own = { id: `key_${secret}`, scopes: Object.keys(SCOPES), rate_limit_per_minute: perMinute };
  KEYS[secret] = { ...usual!, ...own };
  return secret;
}

function noModels(): never {
  throw new ServiceError('model_unavailable', 'The models service is unavailable.');
}

/** What a screen by model comes to, which the models service is then asked for. */
const MODEL_RUN = { model_id: 'confluence_filter', params: {} };

const SCREENS_WITHOUT_MODELS = {
  createScreen: noModels,
  replaceScreen: noModels,
  runScreen: async ({ screen_id }: { screen_id: string }) => ({
    screen_id,
    version: 1,
    result: undefined,
    model_run: MODEL_RUN,
  }),
  getScreenPast: async ({ screen_id }: { screen_id: string }) => ({
    ...exampleNamed<GetScreenPastResponse>('screens.v1.GetScreenPastResponse'),
    screen_id,
    model_run: MODEL_RUN,
  }),
  prepareSimulation: async () => ({
    ...exampleNamed<PrepareSimulationResponse>('screens.v1.PrepareSimulationResponse'),
    model_run: MODEL_RUN,
  }),
};

function noData(): never {
  throw new ServiceError('not_found', 'The dataset does not cover the window.');
}

/** Accepts connections and never sends anything. */
async function startSilentServer(): Promise<{ address: string; stop: () => Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  };
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}

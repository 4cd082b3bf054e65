import { startGatewayUnderTest, type GatewayUnderTest } from '#gateway/testing/gateway-under-test.ts';
import { KEYS } from '#gateway/testing/stand-in-keys.ts';
import { startStandIns } from '#gateway/testing/stand-in-services.ts';
import { SCOPES } from '#shared/scopes.ts';
import { createLogger } from '#shared/logger.ts';
import { ServiceError } from '#shared/service-error.ts';
import { startFaultyServices } from './faulty-services.ts';
import { startSilentServer } from './silent-server.ts';

/** Opens everything at the gateways here. */
export const STAND_IN_KEY = 'matrix';
/** Nobody listens there, and nobody but the system may. */
const NOWHERE = '127.0.0.1:1';
/** What a gateway before silent services waits for them. */
export const DEADLINE_MS = 1_000;

const TROUBLES = ['none', 'keys away', 'keys silent', 'keys faulty'] as const;
const MORE_TROUBLES = ['services away', 'services silent', 'services faulty'] as const;
export type Trouble = (typeof TROUBLES)[number] | (typeof MORE_TROUBLES)[number];

/** A gateway for each trouble; what is in none has stand-ins. */
export interface TroubledGateways {
  baseUrl: (trouble: Trouble) => string;
  /** A new key that may send this many requests a minute. */
  limitedKey: (perMinute: number) => string;
  stop: () => Promise<void>;
}

export async function startTroubledGateways(): Promise<TroubledGateways> {
  issueKey(STAND_IN_KEY, 1_000_000);
  const [standIns, faulty, silent] = await Promise.all([
    startStandIns({ marketData: { scanNegoWindow: noData, listFlows: noData } }),
    startFaultyServices(),
    startSilentServer(),
  ]);
  const addresses = { away: NOWHERE, silent: silent.address, faulty: faulty.address };
  const gateways = new Map<Trouble, GatewayUnderTest>([['none', await gatewayAt(standIns.address)]]);
  for (const [kind, address] of Object.entries(addresses) as [keyof typeof addresses, string][]) {
    gateways.set(`keys ${kind}`, await gatewayAt(standIns.address, address));
    gateways.set(`services ${kind}`, await gatewayAt(address, standIns.address));
  }
  return {
    baseUrl: (trouble) => gateways.get(trouble)!.baseUrl,
    limitedKey: (perMinute) => issueKey(`limited-${Object.keys(KEYS).length}`, perMinute),
    stop: async () => {
      await Promise.all([...gateways.values()].map((gateway) => gateway.stop()));
      await silent.stop();
      await Promise.all([standIns.stop(), faulty.stop()]);
    },
  };
}

function gatewayAt(services: string, keys = services): Promise<GatewayUnderTest> {
  return startGatewayUnderTest(services, createLogger('gateway', 'silent'), {
    ...{ KEYS_ADDRESS: keys, DOWNSTREAM_TIMEOUT_MS: DEADLINE_MS, FAILED_AUTH_LIMIT: 1_000_000 },
  });
}

function issueKey(secret: string, perMinute: number): string {
  const { 'all-scopes': usual } = KEYS;
  const own = { id: `key_${secret}`, scopes: Object.keys(SCOPES), rate_limit_per_minute: perMinute };
  KEYS[secret] = { ...usual!, ...own };
  return secret;
}

function noData(): never {
  throw new ServiceError('not_found', 'The dataset does not cover the window.');
}

import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { callerIdentity } from '#platform/grpc/callers.ts';
import {
  createGrpcClient,
  createHealthClient,
  type HealthClient,
  type CallOptions,
  type ServiceClient,
} from '#platform/grpc/client.ts';
import type { ServiceMethods } from '#platform/grpc/method-types.ts';
import { callAt } from '#platform/wire/descriptors.ts';
import type { TlsSettings } from '#platform/grpc/credentials.ts';
import type { Logger } from '#platform/operations/logger.ts';
import {
  CALLED,
  type CalledService,
  type OptionalService,
  type ServiceName,
  type ServiceSettings,
} from '../declarations/called-services.ts';

/**
 * How much longer than a single call's timeout a write with unknown outcome is retried. A service that was killed is
 * back within a second or two, and a caller gets an answer within ten seconds.
 */
export const SETTLE_WITHIN_MS = 3_500;
const PAUSE_MS = 150;

type Clients = { [Name in keyof typeof CALLED]: ServiceClient<(typeof CALLED)[Name]['definition']> };

/** What declares that it may take long has this many times the deadline of other calls. */
const LONGER = 6;

/** Optional services are missing if the gateway has no address for them, and so are their health checks. */
export interface Services extends Omit<Clients, OptionalService>, Partial<Pick<Clients, OptionalService>> {
  /** The standard gRPC health check of each service. */
  health: Record<ServiceName, HealthClient> & Partial<Record<OptionalService, HealthClient>>;
  close: () => void;
}

interface CallSettings extends TlsSettings {
  DOWNSTREAM_TIMEOUT_MS: number;
}

/** Connects lazily: a service that is down fails only the calls to it. */
export function connectServices(config: ServiceSettings & CallSettings, log: Logger): Services {
  const common = { timeoutMs: config.DOWNSTREAM_TIMEOUT_MS, tls: config };
  const clientOf = ({ address, definition, unavailableCode, token }: CalledService<ServiceMethods>) => {
    const identity = token && callerIdentity('gateway', token, config, log);
    const long = new Set(pathsOf(definition).filter((path) => callAt(path)?.may_take_long));
    return createGrpcClient(definition, {
      ...common,
      timeoutMs: (path) => (long.has(path) ? LONGER : 1) * config.DOWNSTREAM_TIMEOUT_MS,
      address: config[address],
      unavailableCode,
      ...(identity && { identity }),
    });
  };
  const healthOf = (address: string) =>
    createHealthClient({ ...common, address, unavailableCode: 'internal_error' });
  const known = Object.entries(CALLED).filter(([, { address }]) => config[address] !== '');
  const clients = Object.fromEntries(
    known.map(([name, called]) => [name, clientOf(called)]),
  ) as unknown as Clients;
  const health = {
    keys: healthOf(config.KEYS_ADDRESS),
    market_data: healthOf(config.MARKET_DATA_ADDRESS),
    models: healthOf(config.MODELS_ADDRESS),
    usage: healthOf(config.USAGE_ADDRESS),
    consent: healthOf(config.CONSENT_ADDRESS),
    screens: healthOf(config.SCREENS_ADDRESS),
    webhooks: healthOf(config.WEBHOOKS_ADDRESS),
    ...(config.SCHEDULER_ADDRESS && { scheduler: healthOf(config.SCHEDULER_ADDRESS) }),
    ...(config.FEED_ADDRESS && { feed: healthOf(config.FEED_ADDRESS) }),
  };
  const close = () => {
    for (const client of [...Object.values(clients), ...Object.values(health)]) client.close();
  };
  return { ...withCertainWrites(config, clients), health, close };
}

function pathsOf(definition: ServiceMethods): string[] {
  return Object.values(definition).map(({ path }) => path);
}

/** Sends submissions and acceptances under the id of their request, and repeats each while its outcome is unknown. */
function withCertainWrites<Clients extends Pick<Services, 'runs' | 'consent'>>(
  { DOWNSTREAM_TIMEOUT_MS }: CallSettings,
  clients: Clients,
): Clients {
  const { runs, consent } = clients;
  const certain = <Request extends object, Response>(
    send: (request: Request & { submission_id?: string | undefined }, call: CallOptions) => Promise<Response>,
  ) => {
    return (request: Request, { requestId, traceparent, cost }: CallOptions) =>
      untilCertain(
        (timeoutMs) =>
          send({ ...request, submission_id: requestId }, { requestId, traceparent, cost, timeoutMs }),
        DOWNSTREAM_TIMEOUT_MS,
      );
  };
  return {
    ...clients,
    runs: {
      ...runs,
      submitRun: certain(runs.submitRun),
      submitSimulation: certain(runs.submitSimulation),
    },
    consent: { ...consent, recordConsent: certain(consent.recordConsent) },
  };
}

/**
 * Makes one write, with more than one request if needed. While the outcome is unknown, `attempt` is repeated and must
 * carry the same submission id each time. Its response is then that of the write, whichever attempt did it.
 * @throws ServiceError as the last attempt does. It is in doubt only if time ran out before the outcome was known.
 */
export async function untilCertain<T>(
  attempt: (timeoutMs: number) => Promise<T>,
  timeoutMs: number,
): Promise<T> {
  const endsAtMs = performance.now() + timeoutMs + SETTLE_WITHIN_MS;
  let isInDoubt = false;
  for (;;) {
    const leftMs = endsAtMs - performance.now();
    try {
      return await attempt(Math.min(timeoutMs, leftMs));
    } catch (error) {
      if (!(error instanceof ServiceError) || error.httpStatus !== 503) throw error;
      // If this attempt is known to have written nothing, earlier ones may still have written.
      isInDoubt ||= error.isInDoubt;
      if (!isInDoubt) throw error;
      if (endsAtMs - performance.now() < 2 * PAUSE_MS)
        throw new ServiceError(error.code, error.message, { cause: error, isInDoubt });
    }
    await sleep(PAUSE_MS);
  }
}

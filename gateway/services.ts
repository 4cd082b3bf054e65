import { ConsentServiceService } from '#proto/saring/consent/v1/consent.ts';
import { FeedServiceService } from '#proto/saring/feed/v1/feed.ts';
import { KeysServiceService } from '#proto/saring/keys/v1/keys.ts';
import { DatasetServiceService } from '#proto/saring/market_data/v1/datasets.ts';
import { FieldServiceService } from '#proto/saring/market_data/v1/fields.ts';
import { MarketDataServiceService } from '#proto/saring/market_data/v1/market_data.ts';
import { BackfillsServiceService } from '#proto/saring/models/v1/backfills.ts';
import { CatalogueServiceService } from '#proto/saring/models/v1/catalogue.ts';
import { RecordServiceService } from '#proto/saring/models/v1/record.ts';
import { RunsServiceService } from '#proto/saring/models/v1/runs.ts';
import { SchedulerServiceService } from '#proto/saring/scheduler/v1/scheduler.ts';
import { ScreensServiceService } from '#proto/saring/screens/v1/screens.ts';
import { WatchlistsServiceService } from '#proto/saring/screens/v1/watchlists.ts';
import { UsageServiceService } from '#proto/saring/usage/v1/usage.ts';
import { EventsServiceService } from '#proto/saring/webhooks/v1/events.ts';
import { WebhooksServiceService } from '#proto/saring/webhooks/v1/webhooks.ts';
import { callerIdentity } from '#shared/grpc/callers.ts';
import {
  createGrpcClient,
  createHealthClient,
  type HealthClient,
  type CallOptions,
  type ServiceClient,
} from '#shared/grpc/client.ts';
import type { ServiceMethods } from '#shared/grpc/method-types.ts';
import type { Logger } from '#shared/logger.ts';
import type { ErrorCode } from '#shared/error-codes.ts';
import { untilCertain } from './certain-writes.ts';
import type { GatewayConfig } from './config.ts';

/** The services behind the gateway, by their names in the health answer. */
export const SERVICE_NAMES = [
  'keys',
  'market_data',
  'models',
  'usage',
  'consent',
  'screens',
  'webhooks',
] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

/** Services that a gateway need not know. They are called only for the operator. */
export const OPTIONAL_SERVICES = ['scheduler', 'feed'] as const;
export type OptionalService = (typeof OPTIONAL_SERVICES)[number];

/** The gRPC services that the gateway calls, under the names of their clients. */
export const CALLED = {
  keys: calledAt('KEYS_ADDRESS', KeysServiceService, 'data_unavailable', 'KEYS_TOKEN'),
  datasets: calledAt('MARKET_DATA_ADDRESS', DatasetServiceService, 'data_unavailable'),
  marketData: calledAt('MARKET_DATA_ADDRESS', MarketDataServiceService, 'data_unavailable'),
  fields: calledAt('MARKET_DATA_ADDRESS', FieldServiceService, 'data_unavailable', 'MARKET_DATA_TOKEN'),
  catalogue: calledAt('MODELS_ADDRESS', CatalogueServiceService, 'model_unavailable'),
  record: calledAt('MODELS_ADDRESS', RecordServiceService, 'model_unavailable', 'MODELS_TOKEN'),
  runs: calledAt('MODELS_ADDRESS', RunsServiceService, 'model_unavailable', 'MODELS_TOKEN'),
  backfills: calledAt('MODELS_ADDRESS', BackfillsServiceService, 'model_unavailable', 'MODELS_TOKEN'),
  usage: calledAt('USAGE_ADDRESS', UsageServiceService, 'usage_unavailable', 'USAGE_TOKEN'),
  consent: calledAt('CONSENT_ADDRESS', ConsentServiceService, 'consent_unavailable', 'CONSENT_TOKEN'),
  screens: calledAt('SCREENS_ADDRESS', ScreensServiceService, 'data_unavailable', 'SCREENS_TOKEN'),
  watchlists: calledAt('SCREENS_ADDRESS', WatchlistsServiceService, 'data_unavailable', 'SCREENS_TOKEN'),
  events: calledAt('WEBHOOKS_ADDRESS', EventsServiceService, 'data_unavailable', 'WEBHOOKS_TOKEN'),
  webhooks: calledAt('WEBHOOKS_ADDRESS', WebhooksServiceService, 'data_unavailable', 'WEBHOOKS_TOKEN'),
  scheduler: calledAt('SCHEDULER_ADDRESS', SchedulerServiceService, 'data_unavailable'),
  feed: calledAt('FEED_ADDRESS', FeedServiceService, 'data_unavailable'),
};

type TextSettings = {
  [Name in keyof GatewayConfig as GatewayConfig[Name] extends string ? Name : never]: true;
};
type SettingAbout<What extends string> = Extract<keyof TextSettings, `${string}_${What}`>;

interface CalledService<S extends ServiceMethods> {
  address: SettingAbout<'ADDRESS'>;
  definition: S;
  /** The code of a call that does not reach the service. */
  unavailableCode: ErrorCode;
  /** The setting with the gateway's token; undefined where no call of the gateway needs one. */
  token: SettingAbout<'TOKEN'> | undefined;
}

function calledAt<S extends ServiceMethods>(
  address: SettingAbout<'ADDRESS'>,
  definition: S,
  unavailableCode: ErrorCode,
  token?: SettingAbout<'TOKEN'>,
): CalledService<S> {
  return { address, definition, unavailableCode, token };
}

type Clients = { [Name in keyof typeof CALLED]: ServiceClient<(typeof CALLED)[Name]['definition']> };

/** Optional services are missing if the gateway has no address for them, and so are their health checks. */
export interface Services extends Omit<Clients, OptionalService>, Partial<Pick<Clients, OptionalService>> {
  /** The standard gRPC health check of each service. */
  health: Record<ServiceName, HealthClient> & Partial<Record<OptionalService, HealthClient>>;
  close: () => void;
}

/** Connects lazily: a service that is down fails only the calls to it. */
export function connectServices(config: GatewayConfig, log: Logger): Services {
  const common = { timeoutMs: config.DOWNSTREAM_TIMEOUT_MS, tls: config };
  const clientOf = ({ address, definition, unavailableCode, token }: CalledService<ServiceMethods>) => {
    const identity = token && callerIdentity('gateway', token, config, log);
    return createGrpcClient(definition, {
      ...common,
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

type Writing = Pick<Services, 'runs' | 'consent'>;

/** Sends submissions and acceptances under the id of their request, and repeats each while its outcome is unknown. */
function withCertainWrites<Clients extends Writing>(
  { DOWNSTREAM_TIMEOUT_MS }: GatewayConfig,
  clients: Clients,
): Clients {
  const { runs, consent } = clients;
  const certain = <Request extends object, Response>(
    send: (request: Request & { submission_id?: string | undefined }, call: CallOptions) => Promise<Response>,
  ) => {
    return (request: Request, { requestId, traceparent }: CallOptions) =>
      untilCertain(
        (timeoutMs) => send({ ...request, submission_id: requestId }, { requestId, traceparent, timeoutMs }),
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

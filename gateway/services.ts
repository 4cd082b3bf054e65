import { ConsentServiceService } from '#proto/saring/consent/v1/consent.ts';
import { KeysServiceService } from '#proto/saring/keys/v1/keys.ts';
import { DatasetServiceService } from '#proto/saring/market_data/v1/datasets.ts';
import { MarketDataServiceService } from '#proto/saring/market_data/v1/market_data.ts';
import { BackfillsServiceService } from '#proto/saring/models/v1/backfills.ts';
import { CatalogueServiceService } from '#proto/saring/models/v1/catalogue.ts';
import { RecordServiceService } from '#proto/saring/models/v1/record.ts';
import { RunsServiceService } from '#proto/saring/models/v1/runs.ts';
import { SchedulerServiceService } from '#proto/saring/scheduler/v1/scheduler.ts';
import { UsageServiceService } from '#proto/saring/usage/v1/usage.ts';
import { callerIdentity } from '#shared/grpc/callers.ts';
import {
  createGrpcClient,
  createHealthClient,
  type CallOptions,
  type ServiceClient,
} from '#shared/grpc/client.ts';
import type { ServiceMethods } from '#shared/grpc/method-types.ts';
import type { Logger } from '#shared/logger.ts';
import type { ErrorCode } from '#shared/error-codes.ts';
import { untilCertain } from './certain-writes.ts';
import type { GatewayConfig } from './config.ts';

/** The services behind the gateway, by their names in the health answer. */
export const SERVICE_NAMES = ['keys', 'market_data', 'models', 'usage', 'consent'] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

/** The clients of all services that the gateway calls. */
export interface Services {
  keys: ServiceClient<KeysServiceService>;
  datasets: ServiceClient<DatasetServiceService>;
  marketData: ServiceClient<MarketDataServiceService>;
  catalogue: ServiceClient<CatalogueServiceService>;
  record: ServiceClient<RecordServiceService>;
  runs: ServiceClient<RunsServiceService>;
  backfills: ServiceClient<BackfillsServiceService>;
  usage: ServiceClient<UsageServiceService>;
  consent: ServiceClient<ConsentServiceService>;
  /** The standard gRPC health check of each service. */
  health: Record<ServiceName, ServiceClient<ServiceMethods>>;
  /** Called only for the operator. undefined, like `schedulerHealth`, if the gateway has no address for it. */
  scheduler: ServiceClient<SchedulerServiceService> | undefined;
  schedulerHealth: ServiceClient<ServiceMethods> | undefined;
  close: () => void;
}

/** The settings that hold the gateway's tokens for services. Calls to market-data need no token. */
type TokenSetting = 'KEYS_TOKEN' | 'MODELS_TOKEN' | 'USAGE_TOKEN' | 'CONSENT_TOKEN';

/** Connects lazily: a service that is down fails only the calls to it. */
export function connectServices(config: GatewayConfig, log: Logger): Services {
  const common = { timeoutMs: config.DOWNSTREAM_TIMEOUT_MS, tls: config };
  const clientOf = <S extends ServiceMethods>(
    definition: S,
    address: string,
    unavailableCode: ErrorCode,
    token?: TokenSetting,
  ) => {
    const identity = token && callerIdentity('gateway', token, config, log);
    return createGrpcClient(definition, {
      ...common,
      address,
      unavailableCode,
      ...(identity && { identity }),
    });
  };
  const healthOf = (address: string) =>
    createHealthClient({ ...common, address, unavailableCode: 'internal_error' });
  const clients = withCertainWrites(config, {
    keys: clientOf(KeysServiceService, config.KEYS_ADDRESS, 'data_unavailable', 'KEYS_TOKEN'),
    datasets: clientOf(DatasetServiceService, config.MARKET_DATA_ADDRESS, 'data_unavailable'),
    marketData: clientOf(MarketDataServiceService, config.MARKET_DATA_ADDRESS, 'data_unavailable'),
    catalogue: clientOf(CatalogueServiceService, config.MODELS_ADDRESS, 'model_unavailable'),
    record: clientOf(RecordServiceService, config.MODELS_ADDRESS, 'model_unavailable', 'MODELS_TOKEN'),
    runs: clientOf(RunsServiceService, config.MODELS_ADDRESS, 'model_unavailable', 'MODELS_TOKEN'),
    backfills: clientOf(BackfillsServiceService, config.MODELS_ADDRESS, 'model_unavailable', 'MODELS_TOKEN'),
    usage: clientOf(UsageServiceService, config.USAGE_ADDRESS, 'usage_unavailable', 'USAGE_TOKEN'),
    consent: clientOf(ConsentServiceService, config.CONSENT_ADDRESS, 'consent_unavailable', 'CONSENT_TOKEN'),
  });
  const health = {
    keys: healthOf(config.KEYS_ADDRESS),
    market_data: healthOf(config.MARKET_DATA_ADDRESS),
    models: healthOf(config.MODELS_ADDRESS),
    usage: healthOf(config.USAGE_ADDRESS),
    consent: healthOf(config.CONSENT_ADDRESS),
  };
  const schedulerHealth = config.SCHEDULER_ADDRESS ? healthOf(config.SCHEDULER_ADDRESS) : undefined;
  const scheduler = config.SCHEDULER_ADDRESS
    ? clientOf(SchedulerServiceService, config.SCHEDULER_ADDRESS, 'data_unavailable')
    : undefined;
  const close = () => {
    for (const client of [...Object.values(clients), ...Object.values(health)]) client.close();
    scheduler?.close();
    schedulerHealth?.close();
  };
  return { ...clients, health, scheduler, schedulerHealth, close };
}

type Writing = Pick<Services, 'runs' | 'consent'>;

/** Sends submitted runs and acceptances under the id of their request, and repeats each while its outcome is unknown. */
function withCertainWrites<Clients extends Writing>(
  { DOWNSTREAM_TIMEOUT_MS }: GatewayConfig,
  clients: Clients,
): Clients {
  const { runs, consent } = clients;
  const certain = <Request extends { idempotency_key?: string | undefined }, Response>(
    send: (request: Request & { submission_id?: string | undefined }, call: CallOptions) => Promise<Response>,
  ) => {
    return (request: Request, { requestId, traceparent }: CallOptions) =>
      untilCertain(
        (timeoutMs) => send({ ...request, submission_id: requestId }, { requestId, traceparent, timeoutMs }),
        DOWNSTREAM_TIMEOUT_MS,
        request.idempotency_key,
      );
  };
  return {
    ...clients,
    runs: { ...runs, submitRun: certain(runs.submitRun) },
    consent: { ...consent, recordConsent: certain(consent.recordConsent) },
  };
}

import { ConsentServiceService } from '#proto/saring/consent/v1/consent.ts';
import { KeysServiceService } from '#proto/saring/keys/v1/keys.ts';
import { DatasetServiceService } from '#proto/saring/market_data/v1/datasets.ts';
import { MarketDataServiceService } from '#proto/saring/market_data/v1/market_data.ts';
import { CatalogueServiceService } from '#proto/saring/models/v1/catalogue.ts';
import { RunsServiceService } from '#proto/saring/models/v1/runs.ts';
import { UsageServiceService } from '#proto/saring/usage/v1/usage.ts';
import { createGrpcClient, type ServiceClient } from '#shared/grpc/client.ts';
import { createHealthClient } from '#shared/grpc/health.ts';
import type { ServiceMethods } from '#shared/grpc/method-types.ts';
import type { ErrorCode } from '#shared/service-error.ts';
import type { GatewayConfig } from './config.ts';

/** The services behind the gateway, by the name they carry in the health answer. */
export const SERVICE_NAMES = ['keys', 'market_data', 'models', 'usage', 'consent'] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

/** A client of everything the gateway calls. */
export interface Services {
  keys: ServiceClient<KeysServiceService>;
  datasets: ServiceClient<DatasetServiceService>;
  marketData: ServiceClient<MarketDataServiceService>;
  catalogue: ServiceClient<CatalogueServiceService>;
  runs: ServiceClient<RunsServiceService>;
  usage: ServiceClient<UsageServiceService>;
  consent: ServiceClient<ConsentServiceService>;
  /** The standard gRPC health check of each service. */
  health: Record<ServiceName, ServiceClient<ServiceMethods>>;
  close: () => void;
}

/** Connects lazily: a service that is away fails the calls to it and nothing else. */
export function connectServices(config: GatewayConfig): Services {
  const common = { timeoutMs: config.DOWNSTREAM_TIMEOUT_MS, tls: config };
  const clientOf = <S extends ServiceMethods>(definition: S, address: string, unavailableCode: ErrorCode) =>
    createGrpcClient(definition, { ...common, address, unavailableCode });
  const healthOf = (address: string) =>
    createHealthClient({ ...common, address, unavailableCode: 'internal_error' });
  const clients = {
    keys: clientOf(KeysServiceService, config.KEYS_ADDRESS, 'data_unavailable'),
    datasets: clientOf(DatasetServiceService, config.MARKET_DATA_ADDRESS, 'data_unavailable'),
    marketData: clientOf(MarketDataServiceService, config.MARKET_DATA_ADDRESS, 'data_unavailable'),
    catalogue: clientOf(CatalogueServiceService, config.MODELS_ADDRESS, 'model_unavailable'),
    runs: clientOf(RunsServiceService, config.MODELS_ADDRESS, 'model_unavailable'),
    usage: clientOf(UsageServiceService, config.USAGE_ADDRESS, 'usage_unavailable'),
    consent: clientOf(ConsentServiceService, config.CONSENT_ADDRESS, 'consent_unavailable'),
  };
  const health = {
    keys: healthOf(config.KEYS_ADDRESS),
    market_data: healthOf(config.MARKET_DATA_ADDRESS),
    models: healthOf(config.MODELS_ADDRESS),
    usage: healthOf(config.USAGE_ADDRESS),
    consent: healthOf(config.CONSENT_ADDRESS),
  };
  const close = () =>
    [...Object.values(clients), ...Object.values(health)].forEach((client) => client.close());
  return { ...clients, health, close };
}

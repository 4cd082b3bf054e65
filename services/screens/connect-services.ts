import { DatasetServiceService } from '#proto/saring/market_data/v1/datasets.ts';
import { FieldServiceService } from '#proto/saring/market_data/v1/fields.ts';
import { CatalogueServiceService } from '#proto/saring/models/v1/catalogue.ts';
import { callerIdentity } from '#platform/grpc/callers.ts';
import { createGrpcClient } from '#platform/grpc/client.ts';
import type { Logger } from '#platform/operations/logger.ts';
import type { ScreensConfig } from './config.ts';

/** For calls that say nothing else. */
const TIMEOUT_MS = 4_000;

/** Connects lazily: while a service is unavailable, only the calls to it fail. */
export function connectServices(config: ScreensConfig, log: Logger) {
  const common = { timeoutMs: TIMEOUT_MS, tls: config } as const;
  const market = {
    ...common,
    address: config.MARKET_DATA_ADDRESS,
    unavailableCode: 'data_unavailable',
  } as const;
  const identity = callerIdentity('screens', 'MARKET_DATA_TOKEN', config, log);
  const clients = {
    datasets: createGrpcClient(DatasetServiceService, market),
    fields: createGrpcClient(FieldServiceService, { ...market, identity }),
    catalogue: createGrpcClient(CatalogueServiceService, {
      ...common,
      address: config.MODELS_ADDRESS,
      unavailableCode: 'model_unavailable',
    }),
  };
  return { ...clients, close: () => Object.values(clients).forEach((client) => client.close()) };
}

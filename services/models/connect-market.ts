import { DatasetServiceService } from '#proto/saring/market_data/v1/datasets.ts';
import { FieldServiceService } from '#proto/saring/market_data/v1/fields.ts';
import { MarketDataServiceService } from '#proto/saring/market_data/v1/market_data.ts';
import { ModelResultServiceService } from '#proto/saring/market_data/v1/model_results.ts';
import { callerIdentity } from '#platform/grpc/callers.ts';
import { createGrpcClient } from '#platform/grpc/client.ts';
import type { Logger } from '#platform/operations/logger.ts';
import type { ModelsConfig } from './config.ts';

/** For calls that say nothing else. Well below the time within which a run is accepted. */
const TIMEOUT_MS = 2_000;

export type MarketClients = Omit<ReturnType<typeof connectMarket>, 'close'>;

/** Connects lazily: while market-data is unavailable, only the calls to it fail. */
export function connectMarket(config: ModelsConfig, log: Logger) {
  const address = config.MARKET_DATA_ADDRESS;
  const common = {
    address,
    unavailableCode: 'data_unavailable',
    timeoutMs: TIMEOUT_MS,
    tls: config,
  } as const;
  const identity = callerIdentity('models', 'MARKET_DATA_TOKEN', config, log);
  const clients = {
    datasets: createGrpcClient(DatasetServiceService, common),
    fields: createGrpcClient(FieldServiceService, common),
    market: createGrpcClient(MarketDataServiceService, common),
    results: createGrpcClient(ModelResultServiceService, { ...common, identity }),
  };
  return { ...clients, close: () => Object.values(clients).forEach((client) => client.close()) };
}

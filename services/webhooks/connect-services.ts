import { KeysServiceService } from '#proto/saring/keys/v1/keys.ts';
import { DatasetServiceService } from '#proto/saring/market_data/v1/datasets.ts';
import { callerIdentity } from '#platform/grpc/callers.ts';
import { createGrpcClient } from '#platform/grpc/client.ts';
import type { Logger } from '#platform/operations/logger.ts';
import type { WebhooksConfig } from './config.ts';

const TIMEOUT_MS = 4_000;

/** Connects lazily: while a service is unavailable, only the calls to it fail. */
export function connectServices(config: WebhooksConfig, log: Logger) {
  const common = { timeoutMs: TIMEOUT_MS, tls: config, unavailableCode: 'data_unavailable' } as const;
  const clients = {
    keys: createGrpcClient(KeysServiceService, {
      ...common,
      address: config.KEYS_ADDRESS,
      identity: callerIdentity('webhooks', 'KEYS_TOKEN', config, log),
    }),
    datasets: createGrpcClient(DatasetServiceService, { ...common, address: config.MARKET_DATA_ADDRESS }),
  };
  return { ...clients, close: () => Object.values(clients).forEach((client) => client.close()) };
}

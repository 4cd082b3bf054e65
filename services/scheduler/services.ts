import { KeysServiceService } from '#proto/saring/keys/v1/keys.ts';
import { DatasetServiceService } from '#proto/saring/market_data/v1/datasets.ts';
import { CatalogueServiceService } from '#proto/saring/models/v1/catalogue.ts';
import { RunsServiceService } from '#proto/saring/models/v1/runs.ts';
import { callerIdentity } from '#platform/grpc/callers.ts';
import { createGrpcClient } from '#platform/grpc/client.ts';
import type { Logger } from '#platform/operations/logger.ts';
import type { SchedulerConfig } from './config.ts';

/** Four such calls take less time than the command line waits for one call to the scheduler. */
const READ_TIMEOUT_MS = 2_000;
/** Longer than the models service takes to accept or refuse a run. */
const SUBMIT_TIMEOUT_MS = 5_000;

/** Connects lazily: when a service is unavailable, only the calls to it fail. */
export function connectServices(config: SchedulerConfig, log: Logger) {
  const common = { timeoutMs: READ_TIMEOUT_MS, tls: config, unavailableCode: 'data_unavailable' } as const;
  const models = { ...common, address: config.MODELS_ADDRESS, unavailableCode: 'model_unavailable' } as const;
  const identity = (token: 'KEYS_TOKEN' | 'MODELS_TOKEN') => callerIdentity('scheduler', token, config, log);
  const clients = {
    keys: createGrpcClient(KeysServiceService, {
      ...common,
      address: config.KEYS_ADDRESS,
      identity: identity('KEYS_TOKEN'),
    }),
    datasets: createGrpcClient(DatasetServiceService, { ...common, address: config.MARKET_DATA_ADDRESS }),
    catalogue: createGrpcClient(CatalogueServiceService, models),
    runs: createGrpcClient(RunsServiceService, {
      ...models,
      timeoutMs: SUBMIT_TIMEOUT_MS,
      identity: identity('MODELS_TOKEN'),
    }),
  };
  return { ...clients, close: () => Object.values(clients).forEach((client) => client.close()) };
}

import { KeysServiceService } from '#proto/saring/keys/v1/keys.ts';
import { DatasetServiceService } from '#proto/saring/market_data/v1/datasets.ts';
import { CatalogueServiceService } from '#proto/saring/models/v1/catalogue.ts';
import { RunsServiceService } from '#proto/saring/models/v1/runs.ts';
import { callerIdentity, type CallerIdentity } from '#platform/grpc/callers.ts';
import { createGrpcClient } from '#platform/grpc/client.ts';
import type { ServiceMethods } from '#platform/grpc/method-types.ts';
import type { Logger } from '#platform/operations/logger.ts';
import type { ErrorCode } from '#foundation/errors/error-codes.ts';
import type { SchedulerConfig } from './config.ts';

/** Four such calls take less time than the command line waits for one call to the scheduler. */
const READ_TIMEOUT_MS = 2_000;
/** Longer than the models service takes to accept or refuse a run. */
const SUBMIT_TIMEOUT_MS = 5_000;

/** Connects lazily: when a service is unavailable, only the calls to it fail. */
export function connectServices(config: SchedulerConfig, log: Logger) {
  const clientOf = <S extends ServiceMethods>(
    definition: S,
    address: string,
    unavailableCode: ErrorCode,
    options: { timeoutMs?: number; identity?: CallerIdentity } = {},
  ) =>
    createGrpcClient(definition, {
      address,
      unavailableCode,
      timeoutMs: READ_TIMEOUT_MS,
      tls: config,
      ...options,
    });
  const identity = (token: 'KEYS_TOKEN' | 'MODELS_TOKEN') => callerIdentity('scheduler', token, config, log);
  const { KEYS_ADDRESS, MARKET_DATA_ADDRESS, MODELS_ADDRESS } = config;
  const clients = {
    keys: clientOf(KeysServiceService, KEYS_ADDRESS, 'data_unavailable', {
      identity: identity('KEYS_TOKEN'),
    }),
    datasets: clientOf(DatasetServiceService, MARKET_DATA_ADDRESS, 'data_unavailable'),
    catalogue: clientOf(CatalogueServiceService, MODELS_ADDRESS, 'model_unavailable'),
    runs: clientOf(RunsServiceService, MODELS_ADDRESS, 'model_unavailable', {
      timeoutMs: SUBMIT_TIMEOUT_MS,
      identity: identity('MODELS_TOKEN'),
    }),
  };
  return { ...clients, close: () => Object.values(clients).forEach((client) => client.close()) };
}

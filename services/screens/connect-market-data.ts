import { DatasetServiceService } from '#proto/saring/market_data/v1/datasets.ts';
import { FieldServiceService } from '#proto/saring/market_data/v1/fields.ts';
import { callerIdentity } from '#shared/grpc/callers.ts';
import { createGrpcClient } from '#shared/grpc/client.ts';
import type { Logger } from '#shared/logger.ts';
import type { ScreensConfig } from './config.ts';

/** For calls that say nothing else. */
const TIMEOUT_MS = 4_000;

/** Connects lazily: while market-data is away, only the calls to it fail. */
export function connectMarketData(config: ScreensConfig, log: Logger) {
  const common = {
    address: config.MARKET_DATA_ADDRESS,
    unavailableCode: 'data_unavailable',
    timeoutMs: TIMEOUT_MS,
    tls: config,
  } as const;
  const identity = callerIdentity('screens', 'MARKET_DATA_TOKEN', config, log);
  const datasets = createGrpcClient(DatasetServiceService, common);
  const fields = createGrpcClient(FieldServiceService, { ...common, identity });
  return {
    datasets,
    fields,
    close: () => {
      datasets.close();
      fields.close();
    },
  };
}

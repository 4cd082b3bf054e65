import { randomId } from '#shared/ids.ts';
import type { Logger } from '#shared/logger.ts';
import { DatasetResponses } from './response-cache/dataset-responses.ts';
import { FollowedDataset } from './response-cache/followed-dataset.ts';
import type { KeyCache } from './auth/key-cache.ts';
import { KeyWatch } from './auth/key-watch.ts';
import type { GatewayConfig } from './config.ts';
import { OperationsPorts } from './operations-ports.ts';
import { OpenStreams } from './responses/send-events.ts';
import { HealthProbe } from './health-probe.ts';
import { QuoteBatches } from './quote-batches.ts';
import type { Services } from './services.ts';

/** What handlers may call. */
export interface Backend {
  services: Services;
  quotes: QuoteBatches;
  /** The dataset that market data is answered from, and how fresh it is. */
  dataset: Pick<FollowedDataset, 'freshnessOf'>;
  answers: DatasetResponses;
  health: HealthProbe;
  operationsPorts: OperationsPorts;
  openStreams: OpenStreams;
  keyWatch: KeyWatch;
  /** Aborted when the gateway stops. A handler that holds a connection open then answers with what it has. */
  stopping: AbortSignal;
}

interface BackendDependencies {
  config: Pick<GatewayConfig, 'ANSWER_CACHE_BYTES' | 'OPERATIONS_URLS'>;
  log: Logger;
  services: Services;
  keys: KeyCache;
  stopping: AbortSignal;
  /** A monotonic clock. */
  nowMs: () => number;
}

/** The backend follows the dataset from now on until `stopping`. */
export function createBackend(deps: BackendDependencies): Backend {
  const { config, log, services, keys, stopping, nowMs } = deps;
  const dataset = new FollowedDataset({
    watch: (signal) =>
      services.datasets.watchDataset({}, { requestId: randomId('req'), signal, timeoutMs: Infinity }),
    log,
    maxCachedBytes: config.ANSWER_CACHE_BYTES,
  });
  void dataset.follow(stopping);
  const keyWatch = new KeyWatch(keys);
  return {
    services,
    stopping,
    dataset,
    answers: new DatasetResponses(dataset),
    quotes: new QuoteBatches((tickers, call) => services.marketData.getQuotes({ tickers }, call)),
    health: new HealthProbe(services, nowMs),
    operationsPorts: new OperationsPorts(config.OPERATIONS_URLS),
    openStreams: new OpenStreams(keyWatch),
    keyWatch,
  };
}

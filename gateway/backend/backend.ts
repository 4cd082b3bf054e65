import { randomId } from '#foundation/ids.ts';
import type { Logger } from '#platform/operations/logger.ts';
import { TEST_MARKET, type CalledMarket } from '#foundation/test-market.ts';
import { DatasetResponses } from '../response-cache/dataset-responses.ts';
import { FollowedDataset } from '../response-cache/followed-dataset.ts';
import type { KeyCache } from '../auth/key-cache.ts';
import { KeyWatch } from '../auth/key-watch.ts';
import { OperationsPorts } from './operations-ports.ts';
import { OpenStreams } from '../responses/send-events.ts';
import { HealthProbe } from './health-probe.ts';
import { QuoteBatches } from './quote-batches.ts';
import { CostBudget, type Send } from '../auth/cost-budget.ts';
import { CALLED } from '../declarations/called-services.ts';
import { callAt, methodAt, routesOf } from '#platform/wire/descriptors.ts';
import type { Counts } from '../auth/rate-limit-counts.ts';
import type { Services } from './services.ts';

/** What is read of one market. */
interface MarketBackend {
  quotes: QuoteBatches;
  /** The dataset that market data is answered from, and how fresh it is. */
  dataset: Pick<FollowedDataset, 'freshnessOf'>;
  answers: DatasetResponses;
}

/** What handlers may call. */
export interface Backend extends MarketBackend {
  services: Services;
  budget: CostBudget;
  /** The same for another market. */
  ofMarket: (market: CalledMarket) => Backend;
  health: HealthProbe;
  operationsPorts: OperationsPorts;
  openStreams: OpenStreams;
  keyWatch: KeyWatch;
  /** Aborted when the gateway stops. A handler that holds a connection open then answers with what it has. */
  stopping: AbortSignal;
}

interface BackendDependencies {
  config: { ANSWER_CACHE_BYTES: number; COST_PER_REQUEST_MS: number; OPERATIONS_URLS: string };
  log: Logger;
  services: Services;
  /** Of requests and of costs. */
  counts: Counts;
  keys: KeyCache;
  stopping: AbortSignal;
  /** A monotonic clock. */
  nowMs: () => number;
}

/** The backend follows the served dataset from now on until `stopping`, and the test market once a test key asks. */
export function createBackend(deps: BackendDependencies): Backend {
  const { config, services, counts, keys, stopping, nowMs } = deps;
  const budget = new CostBudget({
    counts,
    msPerRequest: config.COST_PER_REQUEST_MS,
    tellSpent: (api_key_id, limit_ms, call) =>
      services.screens.tellBudgetSpent({ api_key_id, limit_ms }, call),
  });
  const keyWatch = new KeyWatch(keys);
  let ofTests: Backend | undefined;
  const served: Backend = {
    services: paidServices(services, budget),
    budget,
    stopping,
    ...marketBackend(deps, undefined),
    ofMarket: (market) =>
      market === TEST_MARKET ? (ofTests ??= { ...served, ...marketBackend(deps, market) }) : served,
    health: new HealthProbe(services, nowMs),
    operationsPorts: new OperationsPorts(config.OPERATIONS_URLS),
    openStreams: new OpenStreams(keyWatch),
    keyWatch,
  };
  return served;
}

/** The same services. The calls of routes that cost something are paid from the budget of the key. */
function paidServices(services: Services, budget: CostBudget): Services {
  const clients = services as unknown as Record<string, Record<string, Send>>;
  const paid = Object.entries(CALLED).flatMap(([service, { definition }]) => {
    const costly = Object.entries<{ path: string }>(definition).filter(([, { path }]) =>
      routesOf(methodAt(path)!).some(({ costs }) => costs),
    );
    if (costly.length === 0) return [];
    const client = clients[service]!;
    const calls = costly.map(([name, { path }]) => {
      const send = callAt(path)?.may_take_long ? whileThere(client[name]!) : client[name]!;
      return [name, budget.paying(send)];
    });
    return [[service, { ...client, ...Object.fromEntries(calls) }]];
  });
  return { ...services, ...(Object.fromEntries(paid) as Partial<Services>) };
}

/** Work that may take long ends with its client. A signal costs 6 µs, which quick work does not pay. */
function whileThere(send: Send): Send {
  return (request, call) => {
    const over = new AbortController();
    call.onceOver(() => over.abort());
    call.signal = over.signal;
    return send(request, call).finally(() => (call.signal = undefined));
  };
}

function marketBackend(
  { config, log, services, stopping }: BackendDependencies,
  market: CalledMarket,
): MarketBackend {
  const call = (signal: AbortSignal) => ({
    requestId: randomId('req'),
    market,
    signal,
    timeoutMs: Infinity,
  });
  const dataset = new FollowedDataset({
    watch: (signal) => services.datasets.watchDataset({}, call(signal)),
    log,
    maxCachedBytes: config.ANSWER_CACHE_BYTES,
  });
  void dataset.follow(stopping);
  return {
    dataset,
    answers: new DatasetResponses(dataset),
    quotes: new QuoteBatches((tickers, of) => services.marketData.getQuotes({ tickers }, of)),
  };
}

import { DatasetServiceService } from '#proto/saring/market_data/v1/datasets.ts';
import {
  MarketDataServiceService,
  type PicksToResolve,
  type ResolvedPicks,
} from '#proto/saring/market_data/v1/market_data.ts';
import {
  ModelResultServiceService,
  type StoreModelResultRequest,
} from '#proto/saring/market_data/v1/model_results.ts';
import type { CallerIdentity } from '#platform/grpc/callers.ts';
import { createGrpcClient, type ServiceClient } from '#platform/grpc/client.ts';
import type { TlsSettings } from '#platform/grpc/credentials.ts';
import { wholeUntil } from '#shared/market/newest-trading-day.ts';
import { randomId } from '#foundation/ids.ts';

const TIMEOUT_MS = 5_000;

/** The properties of the served dataset that the record needs. */
export interface ServedVersion {
  version: string;
  /** `real` or `synthetic`. */
  kind: string;
  /** Its last whole day, YYYY-MM-DD. */
  last_date: string;
  /** `none`, `real` or `synthetic`. */
  broker_data: string;
}

/** Client of market-data for the record and the daily runs. */
export class ServedMarket {
  readonly #datasets: ServiceClient<DatasetServiceService>;
  readonly #market: ServiceClient<MarketDataServiceService>;
  readonly #results: ServiceClient<ModelResultServiceService>;

  constructor(address: string, tls: TlsSettings, identity: CallerIdentity) {
    const common = { address, unavailableCode: 'data_unavailable', timeoutMs: TIMEOUT_MS, tls } as const;
    this.#datasets = createGrpcClient(DatasetServiceService, common);
    this.#market = createGrpcClient(MarketDataServiceService, common);
    this.#results = createGrpcClient(ModelResultServiceService, { ...common, identity });
  }

  /** Undefined while no dataset is loaded. */
  async version(): Promise<ServedVersion | undefined> {
    const { dataset, data_loaded } = await this.#datasets.getCurrentDataset({}, callContext());
    if (!dataset || !data_loaded) return undefined;
    const { version, kind, broker_data } = dataset;
    return { version, kind, last_date: wholeUntil(dataset), broker_data };
  }

  /** The outcomes of picks according to this version; undefined if a different version answered. */
  async resolve(version: string, runs: PicksToResolve[]): Promise<ResolvedPicks[] | undefined> {
    const response = await this.#market.resolvePicks({ runs }, callContext());
    return response.dataset_version === version ? response.runs : undefined;
  }

  /** Some stocks that trade: the top gainers and losers. */
  async tickers(): Promise<string[]> {
    const { top_gainers, top_losers } = await this.#market.getMarketOverview({}, callContext());
    return [...top_gainers, ...top_losers].map(({ ticker }) => ticker);
  }

  async storeResult(result: StoreModelResultRequest): Promise<void> {
    await this.#results.storeModelResult(result, callContext());
  }

  close(): void {
    this.#datasets.close();
    this.#market.close();
    this.#results.close();
  }
}

function callContext() {
  return { requestId: randomId('req') };
}

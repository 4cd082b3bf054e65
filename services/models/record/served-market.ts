import type { PicksToResolve, ResolvedPicks } from '#proto/saring/market_data/v1/market_data.ts';
import type { StoreModelResultRequest } from '#proto/saring/market_data/v1/model_results.ts';
import { wholeUntil } from '#shared/market/newest-trading-day.ts';
import { randomId } from '#foundation/ids.ts';
import type { MarketClients } from '../connect-market.ts';

/** Nobody waits for these calls. */
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
  readonly #clients: MarketClients;

  constructor(clients: MarketClients) {
    this.#clients = clients;
  }

  /** Undefined while no dataset is loaded. */
  async version(): Promise<ServedVersion | undefined> {
    const { dataset, data_loaded } = await this.#clients.datasets.getCurrentDataset({}, callContext());
    if (!dataset || !data_loaded) return undefined;
    const { version, kind, broker_data } = dataset;
    return { version, kind, last_date: wholeUntil(dataset), broker_data };
  }

  /** The outcomes of picks according to this version; undefined if a different version answered. */
  async resolve(version: string, runs: PicksToResolve[]): Promise<ResolvedPicks[] | undefined> {
    const response = await this.#clients.market.resolvePicks({ runs }, callContext());
    return response.dataset_version === version ? response.runs : undefined;
  }

  /** Some stocks that trade: the top gainers and losers. */
  async tickers(): Promise<string[]> {
    const { top_gainers, top_losers } = await this.#clients.market.getMarketOverview({}, callContext());
    return [...top_gainers, ...top_losers].map(({ ticker }) => ticker);
  }

  async storeResult(result: StoreModelResultRequest): Promise<void> {
    await this.#clients.results.storeModelResult(result, callContext());
  }
}

function callContext() {
  return { requestId: randomId('req'), timeoutMs: TIMEOUT_MS };
}

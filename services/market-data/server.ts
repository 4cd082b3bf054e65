import type { DatasetServiceService } from '#proto/saring/market_data/v1/datasets.ts';
import type { MarketDataServiceService } from '#proto/saring/market_data/v1/market_data.ts';
import type { Clock } from '#shared/clock.ts';
import { operatorOnly } from '#shared/grpc/operator-only.ts';
import type { Handlers } from '#shared/grpc/server.ts';
import { jakartaDay } from '#shared/jakarta-time.ts';
import { requireWithin } from './answers/bounds.ts';
import { brokerStocksOf } from './answers/broker-stocks.ts';
import { brokerTimelineOf } from './answers/broker-timeline.ts';
import { brokerWindowOf } from './answers/broker-window.ts';
import { brokersOf } from './answers/brokers.ts';
import { compareOf } from './answers/compare.ts';
import { flowsOf } from './answers/flows.ts';
import { marketOverviewOf } from './answers/market-overview.ts';
import { negoBrokersOf } from './answers/nego-brokers.ts';
import { negoScanOf, negoWindowOf } from './answers/nego-scan.ts';
import { negoOf } from './answers/nego.ts';
import { quotesOf } from './answers/quotes.ts';
import { snapshotOf } from './answers/snapshot.ts';
import { foldTickers } from './answers/tickers.ts';
import { turningPointOf, turningPointsOf } from './answers/turning-points.ts';
import type { DatasetImports } from './import/dataset-imports.ts';
import { reported } from './import/progress.ts';
import type { DatasetInUse } from './in-memory/dataset-in-use.ts';
import { datasetStates } from './in-memory/dataset-states.ts';
import type { MarketOverviews } from './in-memory/market-overviews.ts';
import type { BrokerRowsOfDay } from './in-memory/older-broker-days.ts';
import { orUnavailable } from './store/clickhouse-away.ts';
import type { DatasetStore } from './store/dataset-store.ts';

const MAX_QUOTES = 50;
const MAX_COMPARED = 10;
const MAX_TURNING_POINTS = 50;
const MAX_REJECTED_ROWS = 1_000;

/**
 * The gRPC face of what is published. `ready` returns once the store can be read; `stopping` ends open watches, so that a
 * stop need not wait for them.
 */
export function datasetHandlers(deps: {
  imports: DatasetImports;
  store: DatasetStore;
  ready: () => Promise<void>;
  inUse: DatasetInUse;
  clock: Clock;
  stopping: AbortSignal;
}): Handlers<DatasetServiceService> {
  const { imports, store, ready, inUse, clock, stopping } = deps;
  return {
    importDataset: operatorOnly((messages, call) =>
      reported((progress, signal) => orUnavailable(imports.upload(messages, progress, signal)), call.signal),
    ),
    generateSample: operatorOnly((wanted, call) =>
      reported((progress, signal) => orUnavailable(imports.sample(wanted, progress, signal)), call.signal),
    ),
    getCurrentDataset: async () => {
      const { dataset, isLoaded } = inUse.current();
      return { dataset, data_loaded: isLoaded };
    },
    listDatasets: operatorOnly(async () => ({
      datasets: await orUnavailable(ready().then(() => store.list())),
    })),
    synthesizeBrokers: operatorOnly((wanted, call) =>
      reported(
        (progress, signal) => orUnavailable(imports.synthesizeBrokers(wanted, progress, signal)),
        call.signal,
      ),
    ),
    listBrokers: operatorOnly(({ version }) => orUnavailable(store.brokers(version))),
    pruneDatasets: operatorOnly(async ({ keep }) => {
      requireWithin('keep', keep, 1);
      return { removed: await orUnavailable(imports.prune(keep, inUse.current().dataset?.version)) };
    }),
    watchDataset: (_request, { signal }) => datasetStates(inUse, clock, AbortSignal.any([signal, stopping])),
    listRejectedRows: operatorOnly(async ({ version, limit }) => {
      requireWithin('limit', limit, 1, MAX_REJECTED_ROWS);
      return { rows: await orUnavailable(store.rejectedRows(version, limit)) };
    }),
  };
}

/** The gRPC face of the data itself. */
export function marketDataHandlers(deps: {
  inUse: DatasetInUse;
  overviews: MarketOverviews;
  rowsOfDay: BrokerRowsOfDay;
  clock: Clock;
}): Handlers<MarketDataServiceService> {
  const { inUse, overviews, rowsOfDay, clock } = deps;
  return {
    getQuotes: async ({ tickers }) => {
      const folded = foldTickers(tickers, MAX_QUOTES);
      return quotesOf(await inUse.get(), folded);
    },
    getSnapshot: async (wanted) => snapshotOf(await inUse.get(), wanted, jakartaDay(clock())),
    compare: async ({ tickers, days }) => {
      const folded = foldTickers(tickers, MAX_COMPARED);
      return compareOf(await inUse.get(), { tickers: folded, days }, jakartaDay(clock()));
    },
    getNego: async (wanted) => negoOf(await inUse.get(), wanted),
    scanNego: async (wanted) => negoScanOf(await inUse.get(), wanted, jakartaDay(clock()), rowsOfDay),
    scanNegoWindow: async (wanted) => negoWindowOf(await inUse.get(), wanted, jakartaDay(clock())),
    getMarketOverview: async () => {
      const loaded = await inUse.get();
      return marketOverviewOf(loaded, await overviews.of(loaded.panel), jakartaDay(clock()));
    },
    getBrokers: async (wanted) => brokersOf(await inUse.get(), wanted, jakartaDay(clock()), rowsOfDay),
    getBrokerWindow: async (wanted) => brokerWindowOf(await inUse.get(), wanted, jakartaDay(clock())),
    getBrokerTimeline: async (wanted) => brokerTimelineOf(await inUse.get(), wanted, jakartaDay(clock())),
    listBrokerStocks: async (wanted) => brokerStocksOf(await inUse.get(), wanted, jakartaDay(clock())),
    listFlows: async (wanted) => flowsOf(await inUse.get(), wanted, jakartaDay(clock())),
    getNegoBrokers: async (wanted) =>
      negoBrokersOf(await inUse.get(), wanted, jakartaDay(clock()), rowsOfDay),
    getTurningPoint: async (wanted) => turningPointOf(await inUse.get(), wanted, jakartaDay(clock())),
    listTurningPoints: async ({ tickers, lookback }) => {
      const folded = foldTickers(tickers, MAX_TURNING_POINTS);
      return turningPointsOf(await inUse.get(), { tickers: folded, lookback }, jakartaDay(clock()));
    },
  };
}

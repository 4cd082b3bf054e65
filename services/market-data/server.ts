import type { DatasetServiceService } from '#proto/saring/market_data/v1/datasets.ts';
import type { MarketDataServiceService } from '#proto/saring/market_data/v1/market_data.ts';
import type { Clock } from '#shared/clock.ts';
import { operatorOnly, type Handlers } from '#shared/grpc/server.ts';
import { jakartaDay } from '#shared/jakarta-time.ts';
import { ServiceError } from '#shared/service-error.ts';
import { quotesOf } from './answers/quotes.ts';
import { snapshotOf } from './answers/snapshot.ts';
import { foldTickers } from './answers/tickers.ts';
import type { DatasetImports } from './import/dataset-imports.ts';
import { reported } from './import/progress.ts';
import type { DatasetInUse } from './in-memory/dataset-in-use.ts';
import { orUnavailable } from './store/clickhouse-away.ts';
import type { DatasetStore } from './store/dataset-store.ts';

const MAX_QUOTES = 50;
const MAX_REJECTED_ROWS = 1_000;

/** The gRPC face of what is published. */
export function datasetHandlers(deps: {
  imports: DatasetImports;
  store: DatasetStore;
  inUse: DatasetInUse;
}): Handlers<DatasetServiceService> {
  const { imports, store, inUse } = deps;
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
    listDatasets: operatorOnly(async () => ({ datasets: await orUnavailable(store.list()) })),
    listRejectedRows: operatorOnly(async ({ version, limit }) => {
      refuseLimit(limit);
      return { rows: await orUnavailable(store.rejectedRows(version, limit)) };
    }),
  };
}

/** The gRPC face of the data itself. */
export function marketDataHandlers(deps: {
  inUse: DatasetInUse;
  clock: Clock;
}): Handlers<MarketDataServiceService> {
  const { inUse, clock } = deps;
  return {
    getQuotes: async ({ tickers }) => {
      const folded = foldTickers(tickers, MAX_QUOTES);
      return quotesOf(await inUse.get(), folded);
    },
    getSnapshot: async (wanted) => snapshotOf(await inUse.get(), wanted, jakartaDay(clock())),
  };
}

function refuseLimit(limit: number): void {
  if (limit >= 1 && limit <= MAX_REJECTED_ROWS) return;
  const msg = `must be from 1 to ${MAX_REJECTED_ROWS}`;
  throw new ServiceError('invalid_request', `limit: ${msg}`, {
    detail: [{ loc: ['limit'], msg, type: 'out_of_range', input: limit }],
  });
}

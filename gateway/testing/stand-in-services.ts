import { once } from 'node:events';
import { ConsentServiceService } from '#proto/saring/consent/v1/consent.ts';
import { KeysServiceService } from '#proto/saring/keys/v1/keys.ts';
import { DatasetServiceService } from '#proto/saring/market_data/v1/datasets.ts';
import { MarketDataServiceService } from '#proto/saring/market_data/v1/market_data.ts';
import { BackfillsServiceService } from '#proto/saring/models/v1/backfills.ts';
import { CatalogueServiceService } from '#proto/saring/models/v1/catalogue.ts';
import { RecordServiceService } from '#proto/saring/models/v1/record.ts';
import { RunsServiceService } from '#proto/saring/models/v1/runs.ts';
import { SchedulerServiceService } from '#proto/saring/scheduler/v1/scheduler.ts';
import { UsageServiceService, type ListEventsRequest } from '#proto/saring/usage/v1/usage.ts';
import { GrpcServer, type Handlers } from '#shared/grpc/server.ts';
import { createLogger } from '#shared/logger.ts';
import { healthNameOf, RUN_PARTS } from '#shared/run-protocol.ts';
import { ServiceError } from '#shared/service-error.ts';
import { SERVER_CONFIG } from '#support/processes/service-process.ts';
import { notNeeded } from './not-needed.ts';
import { backfillsStandIn } from './stand-in-backfills.ts';
import { brokerStandIns } from './stand-in-brokers.ts';
import { consentStandIn } from './stand-in-consent.ts';
import { keysStandIn } from './stand-in-keys.ts';
import { negoStandIns } from './stand-in-nego.ts';
import { overviewStandIns } from './stand-in-overview.ts';
import { recordStandIn } from './stand-in-record.ts';
import { MODEL, requireModel, runsStandIn, type RunsStandIn } from './stand-in-runs.ts';
import { schedulerStandIn } from './stand-in-scheduler.ts';
import { usageStandIn } from './stand-in-usage.ts';

/** What the stand-ins were asked and how they shall behave. */
export interface StandIns extends RunsStandIn {
  address: string;
  /** Secrets that the gateway looked up. */
  lookedUp: string[];
  listed: ListEventsRequest[];
  quoteCalls: string[][];
  stop: () => Promise<void>;
}

/** Handlers that a test brings in place of those of the stand-ins. */
export interface OwnHandlers {
  datasets?: Partial<Handlers<DatasetServiceService>>;
  marketData?: Partial<Handlers<MarketDataServiceService>>;
}

/** Real gRPC servers with the project's plumbing, and the least behaviour behind it that the gateway's tests need. */
export async function startStandIns(own: OwnHandlers = {}): Promise<StandIns> {
  const server = new GrpcServer({ config: SERVER_CONFIG, log: createLogger('stand-ins', 'silent') });
  const standIns: StandIns = {
    address: '',
    lookedUp: [],
    submitted: [],
    listed: [],
    quoteCalls: [],
    runTakesMs: 0,
    watched: new Set(),
    unwatched: new Set(),
    stop: () => server.stop(),
  };
  server
    .add(ConsentServiceService, consentStandIn())
    .add(KeysServiceService, keysStandIn(standIns))
    .add(DatasetServiceService, { ...datasets, ...own.datasets })
    .add(MarketDataServiceService, { ...marketData(standIns), ...own.marketData })
    .add(CatalogueServiceService, catalogue)
    .add(RecordServiceService, recordStandIn)
    .add(RunsServiceService, runsStandIn(standIns))
    .add(BackfillsServiceService, backfillsStandIn())
    .add(SchedulerServiceService, schedulerStandIn)
    .add(UsageServiceService, usageStandIn(standIns.listed));
  for (const part of RUN_PARTS) server.reportPart(healthNameOf(part), true);
  standIns.address = `127.0.0.1:${await server.listen()}`;
  return standIns;
}

/** The version that is served. */
export const SERVED_DATASET = {
  version: 'synthetic-20240628-1',
  kind: 'synthetic',
  source: 'generator',
  fingerprint: '',
  first_date: '2020-01-02',
  last_date: '2024-06-28',
  trading_days: 1_080,
  tickers: 60,
  bars: 64_800,
  rejected_rows: 0,
  published_at: new Date('2024-06-28T10:00:00Z'),
  broker_data: 'none',
  broker_rows: 0,
  broker_first_date: '',
  broker_last_date: '',
  broker_segments: [],
  origin_fingerprint: '',
};

const datasets: Handlers<DatasetServiceService> = {
  importDataset: notNeeded,
  generateSample: notNeeded,
  listDatasets: async () => ({ datasets: [], served_version: 'synthetic-20240628-1' }),
  listTradingDays: notNeeded,
  listRejectedRows: async () => ({ rows: [] }),
  synthesizeBrokers: notNeeded,
  listBrokers: notNeeded,
  pruneDatasets: notNeeded,
  useDataset: notNeeded,
  listServedDatasets: async () => ({ served: [] }),
  watchDataset: async function* (_request, { signal }) {
    yield { version: '', today: '2024-06-28' };
    await once(signal, 'abort');
  },
  getCurrentDataset: async () => ({
    data_loaded: true,
    lost_version: '',
    dataset: SERVED_DATASET,
  }),
};

const DATASET = { dataset_version: 'synthetic-20240628-1', broker_data: 'none', adjusted: true };

function marketData({ quoteCalls }: StandIns): Handlers<MarketDataServiceService> {
  return {
    ...negoStandIns,
    ...overviewStandIns,
    ...brokerStandIns,
    resolvePicks: notNeeded,
    getQuotes: async ({ tickers }) => {
      quoteCalls.push(tickers);
      if (tickers.length > 50) throw new ServiceError('too_many_tickers', 'At most 50 tickers.');
      const quote = { close: 9_000, change_pct: 1.25, date: '2024-06-28' };
      const known = tickers.filter((ticker) => ticker !== 'NONE');
      return { ...DATASET, quotes: Object.fromEntries(known.map((ticker) => [ticker, quote])) };
    },
    getSnapshot: async ({ ticker, days }) => {
      if (ticker.toUpperCase() !== 'BBCA')
        throw new ServiceError('not_found', `There is no data for ${ticker}.`);
      const bar = {
        date: '2024-06-28',
        open: 1,
        high: 3,
        low: 1,
        close: 2,
        volume: 100,
        value: 200,
        frequency: 1,
      };
      const ohlcv = Array.from({ length: days }, () => ({ ...bar, change_pct: 0.5 }));
      const stock = { ticker: 'BBCA', name: 'Bank', sector: undefined, board: undefined, date: '2024-06-28' };
      const lastTrade = { last_traded_date: stock.date, traded_today: true };
      const features = { ma5: 9_000.5 };
      return { ...DATASET, ...stock, ...lastTrade, is_partial: false, days, ohlcv, features };
    },
  };
}

const catalogue: Handlers<CatalogueServiceService> = {
  validateRun: notNeeded,
  listModels: async () => ({ models: [MODEL] }),
  getModel: async ({ model_id }) => {
    requireModel(model_id);
    const bounded = {
      type: 'integer',
      default: 10,
      min: 1,
      max: 20,
      options: [],
      items: undefined,
      max_items: undefined,
      description: 'Banyak saham',
    };
    const items = { type: 'string' };
    const open = {
      ...bounded,
      type: 'array',
      default: [],
      min: undefined,
      max: undefined,
      items,
      description: '',
    };
    const explanation = { what: 'apa', when: 'kapan', how: 'bagaimana' };
    return { model: MODEL, params: { max_picks: bounded, positions: open }, explanation };
  },
};

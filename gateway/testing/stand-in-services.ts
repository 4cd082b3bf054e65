import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { KeysServiceService, type ApiKey } from '#proto/saring/keys/v1/keys.ts';
import { DatasetServiceService } from '#proto/saring/market_data/v1/datasets.ts';
import { MarketDataServiceService } from '#proto/saring/market_data/v1/market_data.ts';
import { CatalogueServiceService } from '#proto/saring/models/v1/catalogue.ts';
import { RunsServiceService, type Job, type SubmitRunRequest } from '#proto/saring/models/v1/runs.ts';
import { UsageServiceService, type ListEventsRequest } from '#proto/saring/usage/v1/usage.ts';
import { GrpcServer, type Handlers } from '#shared/grpc/server.ts';
import { createLogger } from '#shared/logger.ts';
import { ServiceError } from '#shared/service-error.ts';
import { brokerStandIns } from './stand-in-brokers.ts';
import { negoStandIns } from './stand-in-nego.ts';
import { overviewStandIns } from './stand-in-overview.ts';

/** Secrets that the stand-in for the keys service knows, by what is special about their keys. */
export const KEYS: Record<string, ApiKey> = {
  'all-scopes': apiKey({ id: 'key_all' }),
  'data-only': apiKey({ id: 'key_data', scopes: ['data:read'] }),
  'models-only': apiKey({ id: 'key_models', scopes: ['models:read'] }),
  'known-elsewhere': apiKey({ id: 'key_elsewhere' }),
  'under-load': apiKey({ id: 'key_load', rate_limit_per_minute: 1_000_000 }),
  'two-a-minute': apiKey({ id: 'key_two', rate_limit_per_minute: 2 }),
  disabled: apiKey({ id: 'key_disabled', disabled: true }),
  'disabled-two-a-minute': apiKey({ id: 'key_two_off', disabled: true, rate_limit_per_minute: 2 }),
};

/** What the stand-ins were asked and how they shall behave. */
export interface StandIns {
  address: string;
  /** Secrets that the gateway looked up. */
  lookedUp: string[];
  submitted: SubmitRunRequest[];
  listed: ListEventsRequest[];
  quoteCalls: string[][];
  /** Makes submitted runs end after this time. */
  runTakesMs: number;
  /** Runs that nobody watches any more, by job id. */
  unwatched: Set<string>;
  stop: () => Promise<void>;
}

/** Handlers that a test brings in place of those of the stand-ins. */
export interface OwnHandlers {
  datasets?: Partial<Handlers<DatasetServiceService>>;
  marketData?: Partial<Handlers<MarketDataServiceService>>;
}

/** Real gRPC servers with the project's plumbing, and the least behaviour behind it that the gateway's tests need. */
export async function startStandIns(own: OwnHandlers = {}): Promise<StandIns> {
  const config = {
    GRPC_HOST: '127.0.0.1',
    GRPC_PORT: 0,
    GRPC_TLS_CA: '',
    GRPC_TLS_CERT: '',
    GRPC_TLS_KEY: '',
  };
  const server = new GrpcServer({ config, log: createLogger('stand-ins', 'silent') });
  const standIns: StandIns = {
    address: '',
    lookedUp: [],
    submitted: [],
    listed: [],
    quoteCalls: [],
    runTakesMs: 0,
    unwatched: new Set(),
    stop: () => server.stop(),
  };
  server
    .add(KeysServiceService, keys(standIns))
    .add(DatasetServiceService, { ...datasets, ...own.datasets })
    .add(MarketDataServiceService, { ...marketData(standIns), ...own.marketData })
    .add(CatalogueServiceService, catalogue)
    .add(RunsServiceService, runs(standIns))
    .add(UsageServiceService, usage(standIns));
  standIns.address = `127.0.0.1:${await server.listen()}`;
  return standIns;
}

function apiKey(special: Partial<ApiKey>): ApiKey {
  const scopes = ['models:read', 'models:run', 'data:read', 'usage:read'];
  const usual = { id: '', name: '', hint: '', scopes, rate_limit_per_minute: 1_000, disabled: false };
  return { ...usual, created_at: new Date(0), ...special };
}

const notNeeded = (): never => {
  throw new Error('the gateway does not call this');
};

function keys({ lookedUp }: StandIns): Handlers<KeysServiceService> {
  return {
    createKey: notNeeded,
    listKeys: notNeeded,
    disableKey: notNeeded,
    enableKey: notNeeded,
    deleteKey: notNeeded,
    authenticate: async ({ secret }) => {
      lookedUp.push(secret);
      if (!KEYS[secret]) throw new ServiceError('invalid_api_key', 'The API key is unknown.');
      return { api_key: KEYS[secret] };
    },
  };
}

const datasets: Handlers<DatasetServiceService> = {
  importDataset: notNeeded,
  generateSample: notNeeded,
  listDatasets: notNeeded,
  listRejectedRows: notNeeded,
  synthesizeBrokers: notNeeded,
  listBrokers: notNeeded,
  pruneDatasets: notNeeded,
  watchDataset: async function* (_request, { signal }) {
    yield { version: '', today: '2024-06-28' };
    await once(signal, 'abort');
  },
  getCurrentDataset: async () => ({
    data_loaded: true,
    dataset: {
      ...{ version: 'synthetic-20240628-1', kind: 'synthetic', source: 'generator', fingerprint: '' },
      ...{ first_date: '2020-01-02', last_date: '2024-06-28', trading_days: 1_080, tickers: 60 },
      ...{ bars: 64_800, rejected_rows: 0, published_at: new Date('2024-06-28T10:00:00Z') },
      ...{ broker_data: 'none', broker_rows: 0, broker_first_date: '', broker_last_date: '' },
      ...{ broker_segments: [], origin_fingerprint: '' },
    },
  }),
};

const DATASET = { dataset_version: 'synthetic-20240628-1', broker_data: 'none' };

function marketData({ quoteCalls }: StandIns): Handlers<MarketDataServiceService> {
  return {
    ...negoStandIns,
    ...overviewStandIns,
    ...brokerStandIns,
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
      return { ...DATASET, ...stock, is_partial: false, days, ohlcv, features: { ma5: 9_000.5 } };
    },
  };
}

const MODEL = { id: 'model_f_combined', name: 'Model F', category: 'swing', version: '1' };

function requireModel(id: string): void {
  if (id !== MODEL.id) throw new ServiceError('model_not_found', 'No such model.');
}

const catalogue: Handlers<CatalogueServiceService> = {
  listModels: async () => ({ models: [MODEL] }),
  getModel: async ({ model_id }) => {
    requireModel(model_id);
    const bounded = {
      type: 'integer',
      default: 10,
      min: 1,
      max: 20,
      options: [],
      description: 'Banyak saham',
    };
    const open = { type: 'array', default: [], min: undefined, max: undefined, options: [], description: '' };
    const explanation = { what: 'apa', when: 'kapan', how: 'bagaimana' };
    return { model: MODEL, params: { max_picks: bounded, positions: open }, explanation };
  },
};

function runs(standIns: StandIns): Handlers<RunsServiceService> {
  const jobs = new Map<string, Job>();
  const jobOf = (id: string): Job => {
    const job = jobs.get(id);
    if (!job) throw new ServiceError('job_not_found', 'No such job.');
    return job;
  };
  return {
    submitRun: async (request) => {
      requireModel(request.model_id);
      standIns.submitted.push(request);
      const job = newJob(`job_${jobs.size}`, request);
      jobs.set(job.job_id, job);
      return { job };
    },
    getJob: async ({ job_id }) => ({ job: jobOf(job_id) }),
    getRunModel: async ({ job_id }) => {
      jobOf(job_id);
      return {
        onnx: Buffer.from([8, 8, 0x80, 0xff]),
        fingerprint: 'f',
        dataset_version: 'synthetic-20240628-1',
      };
    },
    listJobs: async ({ limit }) => ({ jobs: [...jobs.values()].slice(0, limit) }),
    watchRun: async function* ({ job_id }, { signal }) {
      signal.addEventListener('abort', () => standIns.unwatched.add(job_id));
      yield { job: { ...jobOf(job_id), status: 'running', started_at: new Date() } };
      await sleep(standIns.runTakesMs, undefined, { signal });
      const ended = { started_at: new Date(), finished_at: new Date(), duration_seconds: 1.5 };
      const summary = { pick_count: 1, tickers: ['BBCA'], target_date: '2024-06-28' };
      const result_json = Buffer.from('{"df_result":[{"Ticker":"BBCA"}],"target_date":"2024-06-28"}');
      const dataset_version = 'synthetic-20240628-1';
      const succeeded = {
        status: 'succeeded',
        summary,
        result_json,
        result_available: true,
        dataset_version,
      };
      const job = { ...jobOf(job_id), ...ended, ...succeeded };
      jobs.set(job_id, job);
      yield { job };
    },
  };
}

function newJob(job_id: string, { model_id, params, end_user, view }: SubmitRunRequest): Job {
  return {
    ...{
      job_id,
      kind: 'model_run',
      target: model_id,
      status: 'queued',
      params: params ?? {},
      view,
      end_user,
    },
    ...{ created_at: new Date('2024-06-28T10:00:00Z'), started_at: undefined, finished_at: undefined },
    ...{ duration_seconds: 0, source: 'live', result_available: false, result_json: undefined },
    ...{ summary: undefined, error_message: undefined, dataset_version: undefined },
  };
}

function usage({ listed }: StandIns): Handlers<UsageServiceService> {
  return {
    listEvents: async (request) => {
      listed.push(request);
      const run = { channel: 'api', end_user: 'user-42', model_id: MODEL.id, params: {}, status: 'started' };
      const ids = { event_id: 'ue_1', job_id: 'job_1', request_id: 'req_1' };
      const event = { ...run, ...ids, ts: new Date(0), duration_seconds: 0, summary: undefined };
      return { events: [event], next_cursor: request.cursor ? undefined : 'next' };
    },
    getEvent: () => {
      throw new ServiceError('usage_event_not_found', 'No such event.');
    },
  };
}

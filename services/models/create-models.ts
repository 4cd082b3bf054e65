import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { randomId } from '#foundation/ids.ts';
import type { Logger } from '#platform/operations/logger.ts';
import type { Nats } from '#platform/nats/connection.ts';
import { RESULT_LIMITS, type ResultLimits } from '#platform/nats/streams.ts';
import { subjects } from '#platform/nats/subjects.ts';
import { listenForRuns } from '#shared/life-signs/run-life-signs.ts';
import { Outbox } from '#platform/postgres/outbox.ts';
import { repeat } from '#platform/process/repeat.ts';
import type { RequestedStocks } from './runs/requested-stocks.ts';
import type { SpanDates } from './analysis-day/analysis-date.ts';
import type { TestMarketDays } from './analysis-day/test-market-days.ts';
import { Backfills } from './backfills/backfills.ts';
import { PastPicks } from './backfills/past-picks.ts';
import { Canary, type CanaryDependencies } from './health/canary.ts';
import { Cancellations } from './runs/cancellations.ts';
import { EndUserRuns } from './runs/end-user-runs.ts';
import { Interruptions } from './runs/interruptions.ts';
import { Jobs } from './runs/jobs.ts';
import { LiveTier } from './nats/live-tier.ts';
import { NatsPresence } from '#platform/nats/nats-presence.ts';
import { RunEvents } from './runs/run-events.ts';
import { RunRequests } from './runs/run-requests.ts';
import { RowWatchers } from '#platform/nats/row-watchers.ts';
import { DailyResults } from './daily-runs/daily-results.ts';
import { DailyRuns } from './daily-runs/daily-runs.ts';
import type { ModelEvidence } from './record/model-evidence.ts';
import { Resolution } from './record/resolution.ts';
import type { ServedMarket } from './record/served-market.ts';
import { ResultCeiling } from './runs/result-ceiling.ts';
import { Runs } from './runs/runs.ts';
import { BackfillStore } from './store/backfill-store.ts';
import { DailyResultStore } from './store/daily-result-store.ts';
import { CancelledRuns } from './store/cancelled-runs.ts';
import { EndUserRunStore } from './store/end-user-run-store.ts';
import { RecordStore } from './store/record-store.ts';
import { RunStore } from './store/run-store.ts';
import type { ModelsTables } from './store/tables.ts';
import { RunTurns } from './runs/run-turns.ts';
import { Sweeper } from './runs/sweeper.ts';
import { Reconciliation, type UsageLedger } from './usage-records/reconciliation.ts';
import { UsageRecords } from './usage-records/usage-records.ts';

/** How often runs without a sign of life are looked for. */
export const POLL_PAUSE_MS = 1_000;
const NOTIFY_PAUSE_MS = 1_000;
const SWEEP_PAUSE_MS = 2_000;
const PURGE_PAUSE_MS = 600_000;
const BACKFILL_PAUSE_MS = 5_000;
const PURGE_BATCH = 50;
const RECORD_PAUSE_MS = 1_000;
const DAILY_RESULTS_PAUSE_MS = 500;
const DAILY_RUNS_PAUSE_MS = 500;
/** Must be well below the length of a turn. */
const CANARY_POLL_PAUSE_MS = 500;

export type Stores = ReturnType<typeof createStores>;

export function createStores(database: Kysely<ModelsTables>, recordSecret: string, log: Logger) {
  const record = new RecordStore(database, recordSecret);
  const outbox = new Outbox({ database, log });
  return {
    record,
    outbox,
    store: new RunStore(database, record, outbox),
    cancelled: new CancelledRuns(database, outbox),
    backfillStore: new BackfillStore(database),
    dailyResults: new DailyResultStore(database),
    endUserStore: new EndUserRunStore(database),
  };
}

interface ModelsDependencies {
  stores: Stores;
  evidence: Pick<ModelEvidence, 'of'>;
  nats: Nats;
  log: Logger;
  dates: SpanDates;
  testDays: Pick<TestMarketDays, 'read'>;
  stocks: Pick<RequestedStocks, 'named'>;
  /** How many runs all workers run at once; 0 if that is not known. */
  runsAtOnce: () => number;
  /** 0 keeps every run. */
  retentionDays: number;
  backfillRetentionDays: number;
  /** As the stream of results was declared. */
  resultLimits?: ResultLimits;
  /** Replaces the fallback pauses of watchers and of cancellation signals. */
  pauses?: { watchers?: { hereMs: number; unavailableMs: number }; notifyMs?: number };
}

interface OtherServices {
  market: ServedMarket;
  ledger: UsageLedger;
  /** Whether each model runs once on every new trading day. */
  dailyRuns: boolean;
  /** undefined sends none. */
  canaries: Pick<CanaryDependencies, 'results' | 'everySeconds' | 'lacksData'> | undefined;
  /** Ends a round of the record and abandons a canary in progress. */
  stopping: AbortSignal;
}

/** The models service without its gRPC side. */
export type Models = ReturnType<typeof createModels>;

export function createModels({ stores, evidence, nats, log, pauses = {}, ...config }: ModelsDependencies) {
  const { resultLimits: { retentionMs: resultRetentionMs, ceiling } = RESULT_LIMITS } = config;
  const { clock } = config.dates;
  const { testDays } = config;
  const { store, cancelled, outbox } = stores;
  const { connection, js, jsm } = nats;
  outbox.publishTo(nats);
  const presence = new NatsPresence(connection);
  const watchers = new RowWatchers(connection, subjects.jobChanged, presence, pauses.watchers);
  const usage = new UsageRecords({ js, store, log });
  const requests = new RunRequests({ js, nats: presence, store, testDays, clock, log });
  const turns = new RunTurns({ store, requests, runsAtOnce: config.runsAtOnce, log });
  const common = { usage, watchers, clock, log };
  const cancellations = new Cancellations({ ...common, cancelled, connection, js, jsm, nats: presence });
  const live = new LiveTier({ jsm, nats: presence, log });
  const backfills = new Backfills({
    store: stores.backfillStore,
    turns,
    nats,
    dates: config.dates,
    testDays,
    newId: randomId,
    log,
    retentionDays: config.backfillRetentionDays,
  });
  const results = new ResultCeiling({ live, store, log, ceiling });
  const parts = { ...stores, ...common, testDays, presence, requests, turns, cancellations, live, results };
  const runs = new Runs({ ...parts, dates: config.dates, stocks: config.stocks, newId: randomId });
  return {
    ...parts,
    dates: config.dates,
    stocks: config.stocks,
    backfills,
    pastPicks: new PastPicks({ store: stores.backfillStore, dates: config.dates, testDays }),
    jobs: new Jobs({ live, clock, evidence, resultRetentionMs }),
    runs,
    endUsers: new EndUserRuns({ ...parts, runs, backfills }),
    /** Starts the background work. Returns a function that stops it and waits for work in progress. */
    startBackground: () => {
      const listener = listenForRuns(connection, `models_${randomUUID()}`);
      const interruptions = new Interruptions({ ...parts, listener, jsm });
      const sweeper = new Sweeper({ ...parts, retentionDays: config.retentionDays });
      const stopping = new AbortController();
      const following = new RunEvents(parts).follow(nats, stopping.signal);
      const followingPages = backfills.follow(stopping.signal);
      const notifyPauseMs = pauses.notifyMs ?? NOTIFY_PAUSE_MS;
      const stops = [
        repeat('looking for interrupted runs', POLL_PAUSE_MS, () => interruptions.poll(), log),
        repeat('notifying workers of cancellations', notifyPauseMs, () => cancellations.notifyWorkers(), log),
        repeat('publishing what was left', SWEEP_PAUSE_MS, () => sweeper.sweep(), log),
        repeat('removing old runs', PURGE_PAUSE_MS, () => sweeper.purge(stopping.signal), log),
        repeat('looking after backfills', BACKFILL_PAUSE_MS, () => backfills.poll(), log),
        repeat('removing old backfills', PURGE_PAUSE_MS, () => backfills.purge(PURGE_BATCH), log),
        outbox.start(),
      ];
      return async () => {
        stopping.abort();
        await Promise.all([following, followingPages, ...stops.map((stop) => stop())]);
        listener.stop();
      };
    },
    /**
     * Starts the background work that calls other services: the record of past picks, the runs that make it and their results, the
     * canaries, and the comparison of runs with the usage ledger. Returns a function that stops it and waits for work in progress.
     */
    startCallingOthers: (others: OtherServices) => {
      const { market, ledger, canaries, stopping } = others;
      const resolution = new Resolution({ ...parts, market });
      const served = () => resolution.served;
      const resolve = () => resolution.poll(stopping);
      const results = new DailyResults({ ...parts, market });
      const handOver = () => results.poll(stopping);
      const stops = [
        repeat('resolving past picks', RECORD_PAUSE_MS, resolve, log),
        repeat('handing over daily results', DAILY_RESULTS_PAUSE_MS, handOver, log),
        new Reconciliation({ ...parts, ledger, jsm }).start(),
      ];
      if (others.dailyRuns) {
        const daily = new DailyRuns({ ...parts, runs, dates: config.dates, served });
        stops.push(repeat('submitting daily runs', DAILY_RUNS_PAUSE_MS, () => daily.poll(), log));
      }
      if (canaries) {
        const canary = new Canary({
          ...parts,
          ...canaries,
          runs,
          served,
          tickers: () => market.tickers(),
        });
        stops.push(repeat('sending canaries', CANARY_POLL_PAUSE_MS, () => canary.poll(stopping), log));
      }
      return () => Promise.all(stops.map((stop) => stop()));
    },
  };
}

import type { DaySpan } from '#quant/panel/ranges.ts';
import type { ClickHouseAddress } from '#platform/clickhouse/address.ts';
import type { ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import type { Clock } from '#foundation/clock.ts';
import { DatasetFeed } from '#shared/market/dataset-feed.ts';
import type { Logger } from '#platform/operations/logger.ts';
import { isTestVersion } from '#foundation/test-market.ts';
import type { Nats } from '#platform/nats/connection.ts';
import { listenForRuns } from '#shared/life-signs/run-life-signs.ts';
import { startHeartbeat } from '#shared/life-signs/worker-heartbeats.ts';
import { newWorkerId } from '#shared/runs/run-parts.ts';
import { BackfillWorker } from './backfill-worker.ts';
import { CancelRequests } from './cancel-requests.ts';
import { FileCache } from './cache/file-cache.ts';
import { ComputedCache } from './cache/computed-cache.ts';
import { ModelCacheStream } from './model-cache/model-cache-stream.ts';
import { ModelFiles, ProcessModelCache } from './model-cache/process-model-cache.ts';
import { MarketSource } from './market/market-source.ts';
import { Markets } from './market/markets.ts';
import { PinnedMarkets } from './market/pinned-markets.ts';
import { prepare } from './preparation.ts';
import { RunClaims } from './run-claims.ts';
import { RunReports } from './run-reports.ts';
import { RunWorker } from './run-worker.ts';
import { ScreenThread } from './threads/screen-thread.ts';
import { ThreadPool } from './threads/thread-pool.ts';
import { returnMemory } from '#platform/process/return-memory.ts';

/** Enough for about thirty cached models of a market of 900 stocks, or twenty times as many of a small market. */
const MAX_CACHED_MODEL_BYTES = 48 * 1024 ** 2;

export interface ModelWorkerOptions {
  nats: Nats;
  clickhouse: ClickHouseClient;
  clickhouseAt: ClickHouseAddress;
  /** Folder of what follows from a dataset version alone; empty for none. */
  cacheDir: string;
  runsAtOnce: number;
  /** Number of threads that train together in a run. */
  trainerThreads: number;
  reusesModels: boolean;
  /** How long a run waits for an unavailable ClickHouse. */
  patienceMs: number;
  /** How long the stop of the whole process may take. */
  stopWithinMs: number;
  clock: Clock;
  log: Logger;
  threadEntry?: URL;
  waitForDay?: { times: number; pauseMs: number };
}

interface ModelWorker {
  markets: Markets;
  /** Stops taking runs and days. The current ones have most of the time that a stop may take to finish. */
  finish: () => Promise<void>;
  stop: () => Promise<void>;
}

function modelCacheOf({ nats, cacheDir, log }: ModelWorkerOptions): ProcessModelCache {
  const stream = new ModelCacheStream(nats, log);
  const report = (reason: string) => log.warn({ reason }, 'the cache of models does not work');
  const others = cacheDir ? new ModelFiles(new ComputedCache(cacheDir, 'models', report), stream) : stream;
  return new ProcessModelCache(MAX_CACHED_MODEL_BYTES, others);
}

/**
 * A function to call whenever a version is replaced. It drops the files that were used for neither the served version nor the one
 * before it, so that a market with a new version each day does not fill the cache.
 */
function droppingOldFiles({ cacheDir, log }: ModelWorkerOptions): () => void {
  if (!cacheDir) return () => {};
  const files = new FileCache(cacheDir, (reason) =>
    log.warn({ reason }, 'the cache of markets does not work'),
  );
  const replacedAt: Date[] = [];
  return () => {
    replacedAt.push(new Date());
    if (replacedAt.length > 2) void files.dropUnusedSince(replacedAt.shift()!);
  };
}

/** Wires a model worker and starts it: from now on it takes runs and days of backfills. */
export function startModelWorker(options: ModelWorkerOptions): ModelWorker {
  const { nats, clickhouse, clickhouseAt, patienceMs, log, clock } = options;
  const source = new MarketSource({ clickhouseAt, cacheDir: options.cacheDir }, log);
  const pinnedSource = new MarketSource({ clickhouseAt, cacheDir: options.cacheDir }, log);
  const sourceOf = (version: string) => (isTestVersion(version) ? pinnedSource : source);
  const modelCache = options.reusesModels ? modelCacheOf(options) : undefined;
  const threadOptions = {
    trainerThreads: options.trainerThreads,
    patienceMs,
    brokerRows: {
      flowOf: (version: string, span: DaySpan) => sourceOf(version).flowOf(version, span),
      monthsOf: (version: string, span: DaySpan) => sourceOf(version).monthsOf(version, span),
    },
    modelCache,
    log,
    ...(options.threadEntry && { entry: options.threadEntry }),
  };
  const dropOldFiles = droppingOldFiles(options);
  const freedMemory = new FreedMemory();
  const pool = new ThreadPool(
    Array.from({ length: options.runsAtOnce }, () => new ScreenThread({ ...threadOptions, yields: true })),
    new ScreenThread(threadOptions),
    () => freedMemory.returnSoon(),
  );
  const workerId = newWorkerId();
  const markets = new Markets({
    read: (dataset) => source.read(dataset),
    prepare: (market, signal) => prepare(pool, market, { log, signal }),
    onReplaced: (version) => {
      void pool.forget(version).then(() => source.forget(version));
      dropOldFiles();
    },
    onPrepared: () => heartbeat.beat(),
    patienceMs,
    log,
  });
  const pinnedMarkets = new PinnedMarkets({
    clickhouse,
    newMarkets: () =>
      new Markets({
        read: (dataset) => pinnedSource.read(dataset),
        prepare: async () => {},
        onReplaced: () => {},
        onPrepared: () => {},
        patienceMs,
        log,
      }),
    onReplaced: (version) => void pool.forget(version).then(() => pinnedSource.forget(version)),
    patienceMs,
  });
  const heartbeat = startHeartbeat(
    nats.connection,
    { workerId, runsAtOnce: pool.size },
    () => markets.preparedVersion,
  );
  const feed = new DatasetFeed({
    clickhouse,
    nats: nats.connection,
    log,
    onServed: (dataset) => markets.load(dataset),
  });
  feed.start();

  const listener = listenForRuns(nats.connection, workerId);
  const claims = new RunClaims({ nats, listener, workerId, log });
  const reports = new RunReports({ nats, workerId, clock, log });
  const cancelRequests = new CancelRequests(nats.connection);
  const runs = new RunWorker({
    ...options,
    claims,
    reports,
    cancelRequests,
    markets,
    pinnedMarkets,
    pool,
    feed,
  });
  const backfills = new BackfillWorker({ nats, markets, pinnedMarkets, pool, log });
  runs.start();
  backfills.start();
  return {
    markets,
    // At once: one after the other they could take longer than the process may.
    finish: async () => void (await Promise.all([runs.stop(), backfills.stop()])),
    stop: async () => {
      heartbeat.stop();
      cancelRequests.stop();
      listener.stop();
      feed.stop();
      markets.stop();
      pinnedMarkets.stop();
      freedMemory.stop();
      await Promise.all([pool.stop(), source.stop(), pinnedSource.stop()]);
    },
  };
}

/** V8 first has to collect what a run leaves behind. While runs follow each other, this is also how often memory goes back. */
const RETURN_PAUSE_MS = 3_000;
/** By then the threads that only some runs need have ended: trainers, and the one that reads markets. */
const RETURN_QUIET_MS = 15_000;

/** Gives memory that runs have freed back to the system: soon after them, and again when none has followed. */
class FreedMemory {
  #soon: NodeJS.Timeout | undefined;
  #quiet: NodeJS.Timeout | undefined;

  /** Call after a run. */
  returnSoon(): void {
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      void returnMemory();
    }, RETURN_PAUSE_MS).unref();
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => void returnMemory(), RETURN_QUIET_MS).unref();
  }

  stop(): void {
    clearTimeout(this.#soon);
    clearTimeout(this.#quiet);
  }
}

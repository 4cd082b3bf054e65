import { setTimeout as sleep } from 'node:timers/promises';
import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import type { ClickHouseAddress } from '#platform/clickhouse/address.ts';
import { watchBrokenParts } from '#platform/clickhouse/broken-parts.ts';
import type { ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import { readArrow } from '#platform/clickhouse/clickhouse-arrow.ts';
import type { Clock } from '#foundation/clock.ts';
import { CursorSigner } from '#platform/paging/cursor.ts';
import { DatasetFeed } from '#shared/market/dataset-feed.ts';
import type { Logger } from '#platform/operations/logger.ts';
import type { Nats } from '#platform/nats/connection.ts';
import { subjects } from '#platform/nats/subjects.ts';
import { TEST_MARKET } from '#foundation/test-market.ts';
import { FeedHeartbeats } from '#shared/life-signs/feed-heartbeats.ts';
import { PREPARE_WITHIN_MS, WorkerHeartbeats } from '#shared/life-signs/worker-heartbeats.ts';
import { endedWithin } from '#platform/process/waiting.ts';
import { FieldCatalogue } from './screening/field-catalogue.ts';
import { FactImports } from './facts/fact-imports.ts';
import { FactStore } from './store/fact-store.ts';
import { MarketFreshness } from './freshness/freshness.ts';
import { DatasetImports } from './import/dataset-imports.ts';
import { Importer } from './import/importer.ts';
import { SharedLease } from './store/store-lease.ts';
import { brokerSynthesis } from './import/synthesis/synthesize-broker-rows.ts';
import type { AnsweringMarket, MarketOfCall } from './markets/answering-market.ts';
import { TestMarket } from './markets/test-market.ts';
import { marketInMemory } from './in-memory/market-in-memory.ts';
import { OlderBrokerDays } from './in-memory/older-broker-days.ts';
import { ModelResultStore } from './model-results/model-result-store.ts';
import { FieldMarkets } from './screening/field-columns.ts';
import { Screening } from './screening/screening.ts';
import { barSourcesIn } from './stock-responses/bar-sources.ts';
import { DatasetStore } from './store/dataset-store.ts';
import { StorePreparation } from './store/preparation.ts';
import { ServedMemory } from './store/served-memory.ts';

/** If ClickHouse is unavailable, the service starts anyway and prepares the store when ClickHouse is back. */
const PREPARED_WITHIN_MS = 1_500;
/** How long an import waits for a load that fails again and again. After that, the version is served later. */
const SERVED_WITHIN_MS = 60_000;
/** The first runs and requests on a version come before what nobody has asked for yet. */
const FIELDS_AFTER_MS = 5_000;

interface MarketDataDependencies {
  at: ClickHouseAddress;
  clickhouse: ClickHouseClient;
  /** Has the patience for the statements of an import. */
  importClient: ClickHouseClient;
  nats: Nats;
  /** The size of a generated market, unless the call sets it. */
  sample: { tickers: number; days: number };
  /** How much of the columns of fields is kept. */
  fieldBytes: number;
  /** As in `CursorSigner`. */
  cursorSecrets: readonly [string, ...string[]];
  /** When days of the market are due. */
  pace: Omit<ConstructorParameters<typeof MarketFreshness>[0], 'clock' | 'feed'>;
  clock: Clock;
  log: Logger;
}

/** The market-data service without its gRPC side. */
export function createMarketData({
  at,
  clickhouse,
  importClient,
  nats,
  sample,
  fieldBytes,
  cursorSecrets,
  pace,
  clock,
  log,
}: MarketDataDependencies) {
  const { connection, js, jsm } = nats;
  const workers = new WorkerHeartbeats();
  workers.listenOn(connection);
  const heartbeats = new FeedHeartbeats();
  heartbeats.listenOn(connection);
  const { inUse, overviews, loader } = marketInMemory(at, log);
  const feed = new DatasetFeed({
    clickhouse,
    nats: connection,
    log,
    onServed: (dataset) => {
      inUse.use(dataset);
      void prepareFields(dataset);
    },
    onLost: (version) => inUse.reportLost(version),
  });
  const fieldMarkets = new FieldMarkets(at, fieldBytes);
  const prepareFields = async ({ version }: Dataset) => {
    try {
      if (!(await inUse.serves(version, SERVED_WITHIN_MS))) return;
      await sleep(FIELDS_AFTER_MS, undefined, { ref: false });
      const loaded = await inUse.get();
      if (loaded.dataset.version === version)
        await fieldMarkets.prepare(loaded, await fieldCatalogue.newest());
    } catch (error) {
      // The first who asks has them computed, and is told what is wrong.
      log.debug({ version, err: error }, 'the fields of the newest day could not be prepared');
    }
  };
  const modelResults = new ModelResultStore(clickhouse);
  const fieldCatalogue = new FieldCatalogue({ facts: new FactStore(clickhouse), results: modelResults }, log);
  const store = new DatasetStore(clickhouse);
  const memory = new ServedMemory({ js, jsm, store, log });
  const lease = new SharedLease({ js, jsm, log });
  const preparation = new StorePreparation(importClient, lease, () => memory.compare());
  const ready = () => preparation.ready();
  /** Notifies all processes, and waits until this one answers from the version. */
  const announce = async ({ version }: Dataset) => {
    await memory.compareIfPossible();
    if (!connection.isClosed()) connection.publish(subjects.datasetPublished, version);
    await feed.poll();
    while (!(await inUse.serves(version, SERVED_WITHIN_MS)) && inUse.isProgressing);
  };
  const trained = (version: string) => workers.untilPrepared(version, PREPARE_WITHIN_MS);
  const importer = createImporter({
    at,
    calendar: pace.calendar,
    client: importClient,
    store,
    clock,
    log,
    ready: () => {
      // The version to come is loaded as soon as it is made.
      loader.warmUp();
      return ready();
    },
    lease,
    announce,
    trained,
  });
  const freshness = new MarketFreshness({ ...pace, feed: heartbeats, clock });
  const screening = new Screening(inUse, fieldMarkets, fieldCatalogue);
  const served: AnsweringMarket = { inUse, overviews, screening, fieldCatalogue, freshness, clock };
  const testMarket = new TestMarket({ clickhouseAt: at, importer, fieldBytes, log });
  const marketOf: MarketOfCall = ({ market }) => (market === TEST_MARKET ? testMarket.answering : served);
  return {
    inUse,
    marketOf,
    fieldCatalogue,
    modelResults,
    facts: new FactImports({
      client: importClient,
      store: new FactStore(importClient),
      catalogue: fieldCatalogue,
      importer,
      tickers: async () => (inUse.current().isLoaded ? (await inUse.get()).panel.columns.tickers : []),
      clock,
    }),
    freshness,
    store,
    ready,
    importer,
    imports: new DatasetImports(importer, sample),
    cursors: new CursorSigner(cursorSecrets),
    barSources: barSourcesIn(clickhouse),
    rowsOfDay: new OlderBrokerDays((...query) => readArrow(clickhouse, ...query)).rowsOfDay,
    /**
     * Prepares the store and follows published versions. Resolves once it does, or when preparing takes too long, with a
     * function that stops the background work and waits for work in progress.
     */
    startBackground: async () => {
      const prepared = preparation.untilReady(log).then((isReady) => {
        if (isReady) [feed, fieldCatalogue].forEach((part) => part.start());
        return feed.poll();
      });
      await endedWithin(prepared, PREPARED_WITHIN_MS);
      const stops = [memory.start(), watchBrokenParts(clickhouse, 'market', log)];
      return () => {
        [preparation, feed, fieldCatalogue, inUse, fieldMarkets].forEach((part) => part.stop());
        return Promise.all([loader.stop(), testMarket.stop(), ...stops.map((stop) => stop())]);
      };
    },
  };
}

type ImporterDependencies = ConstructorParameters<typeof Importer>[0];

/** The importer alone, for a process that serves no requests. */
export function createImporter({
  at,
  ...deps
}: Omit<ImporterDependencies, 'synthesize'> & { at: ClickHouseAddress }): Importer {
  return new Importer({ ...deps, synthesize: brokerSynthesis(at, deps.client) });
}

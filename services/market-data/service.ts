import type { NatsConnection } from '@nats-io/transport-node';
import { DatasetServiceService, type Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import { MarketDataServiceService } from '#proto/saring/market_data/v1/market_data.ts';
import { watchBrokenParts } from '#shared/clickhouse/broken-parts.ts';
import { clickhouseAddress } from '#shared/clickhouse/address.ts';
import { clickhouseAnswers, connectClickHouse } from '#shared/clickhouse/clickhouse.ts';
import { readArrow } from '#shared/clickhouse/clickhouse-arrow.ts';
import { systemClock as clock } from '#shared/clock.ts';
import { DatasetFeed } from '#shared/dataset-feed.ts';
import { GrpcServer } from '#shared/grpc/server.ts';
import { connectNats, natsAnswers } from '#shared/nats/connection.ts';
import type { Logger } from '#shared/logger.ts';
import { subjects } from '#shared/nats/subjects.ts';
import { WorkerHeartbeats } from '#shared/nats/worker-heartbeats.ts';
import { defineService } from '#shared/process/service.ts';
import { endedWithin } from '#shared/waiting.ts';
import { settings } from './config.ts';
import { measureDataset, requireDataset } from './dataset-metrics.ts';
import { DatasetImports } from './import/dataset-imports.ts';
import { MAX_PART_BYTES } from './import/files/upload.ts';
import { Importer } from './import/importer.ts';
import { SharedTurn } from './import/store-turn.ts';
import { brokerSynthesis } from './import/synthesis/synthesize-broker-rows.ts';
import type { DatasetInUse } from './in-memory/dataset-in-use.ts';
import { marketInMemory } from './in-memory/market-in-memory.ts';
import { OlderBrokerDays } from './in-memory/older-broker-days.ts';
import { datasetHandlers, marketDataHandlers } from './server.ts';
import { DatasetStore } from './store/dataset-store.ts';
import { StorePreparation } from './store/preparation.ts';
import { ServedMemory } from './store/served-memory.ts';

/** The statements of an import take seconds, and longer on a busy machine. */
const IMPORT_TIMEOUT_MS = 120_000;
/** If ClickHouse is unavailable, the service starts anyway and prepares the store when ClickHouse is back. */
const PREPARED_WITHIN_MS = 1_500;
/** How long an import waits for this service to load its version. If that takes longer, the version is served later. */
const SERVED_WITHIN_MS = 10_000;

export const service = defineService('market-data', settings, async ({ config, log, operations, defer }) => {
  const clickhouseAt = clickhouseAddress(config);
  const clickhouse = connectClickHouse(clickhouseAt);
  const importClient = connectClickHouse(clickhouseAt, IMPORT_TIMEOUT_MS);
  const {
    connection: nats,
    js,
    jsm,
  } = await connectNats(config.NATS_URL, 'market-data', log, { replicas: config.STREAM_REPLICAS });
  defer('ClickHouse', () => Promise.all([clickhouse.close(), importClient.close()]));
  defer('NATS', () => nats.drain());

  operations.readiness.uses('ClickHouse', clickhouseAnswers(clickhouse));
  operations.readiness.uses('NATS', natsAnswers(nats));

  const workers = new WorkerHeartbeats(nats);
  const { inUse, overviews } = marketInMemory(clickhouseAt, log, workers);
  operations.readiness.needs('dataset', () => requireDataset(inUse));
  measureDataset(inUse);
  const feed = new DatasetFeed({
    clickhouse,
    nats,
    log,
    onServed: (dataset) => inUse.use(dataset),
    onLost: (version) => inUse.reportLost(version),
  });
  const store = new DatasetStore(clickhouse);
  const memory = new ServedMemory({ js, jsm, store, log });
  const turn = new SharedTurn({ js, jsm, log });
  const preparation = new StorePreparation(importClient, turn, () => memory.compare());
  const ready = () => preparation.ready();
  const importer = new Importer({
    client: importClient,
    store,
    clock,
    log,
    ready,
    turn,
    synthesize: brokerSynthesis(clickhouseAt, importClient),
    announce: async (dataset) => {
      await memory.compareIfPossible();
      await announce({ nats, feed, inUse }, dataset);
    },
  });
  const imports = new DatasetImports(importer, { tickers: config.SAMPLE_TICKERS, days: config.SAMPLE_DAYS });
  const stopping = new AbortController();
  const datasets = datasetHandlers({ imports, store, ready, inUse, clock, stopping: stopping.signal });
  const { rowsOfDay } = new OlderBrokerDays((...query) => readArrow(clickhouse, ...query));
  const market = marketDataHandlers({ inUse, overviews, rowsOfDay, clock });
  const server = new GrpcServer({
    service: 'market-data',
    config,
    log,
    maxRequestBytes: MAX_PART_BYTES,
  })
    .add(DatasetServiceService, datasets)
    .add(MarketDataServiceService, market);
  await startFollowing(preparation, feed, log);
  defer('memory of what is served', memory.start());
  defer('broken parts', watchBrokenParts(clickhouse, 'market', log));
  await server.listen();
  defer('dataset feed', () => [preparation, feed, inUse].forEach((part) => part.stop()));
  defer('gRPC server', () => {
    stopping.abort();
    return server.stop();
  });
});

/** Prepares the store, then follows published versions. Resolves once it does, or when preparing takes too long. */
async function startFollowing(preparation: StorePreparation, feed: DatasetFeed, log: Logger): Promise<void> {
  const prepared = preparation.untilReady(log).then((isReady) => {
    if (isReady) feed.start();
    return feed.look();
  });
  await endedWithin(prepared, PREPARED_WITHIN_MS);
}

/**
 * Notifies all processes, and waits until this one answers from the version, for which it waits until workers are prepared for
 * it.
 */
async function announce(
  { nats, feed, inUse }: { nats: NatsConnection; feed: DatasetFeed; inUse: DatasetInUse },
  { version }: Dataset,
): Promise<void> {
  if (!nats.isClosed()) nats.publish(subjects.datasetPublished, version);
  await feed.look();
  await inUse.serves(version, SERVED_WITHIN_MS);
}

import { DatasetServiceService } from '#proto/saring/market_data/v1/datasets.ts';
import { FactServiceService } from '#proto/saring/market_data/v1/facts.ts';
import { FieldServiceService } from '#proto/saring/market_data/v1/fields.ts';
import { ModelResultServiceService } from '#proto/saring/market_data/v1/model_results.ts';
import { MarketDataServiceService } from '#proto/saring/market_data/v1/market_data.ts';
import { secretsIn } from '#platform/configuration/config.ts';
import { clickhouseAddress } from '#platform/clickhouse/address.ts';
import { clickhouseResponds, connectClickHouse } from '#platform/clickhouse/clickhouse.ts';
import { systemClock as clock } from '#foundation/clock.ts';
import { tradingCalendar } from '#shared/market/trading-calendar.ts';
import { GrpcServer } from '#platform/grpc/server.ts';
import { connectNats, natsResponds } from '#platform/nats/connection.ts';
import { defineService } from '#platform/process/service.ts';
import { settings } from './config.ts';
import { createMarketData } from './create-market-data.ts';
import { measureDataset, requireDataset } from './dataset-metrics.ts';
import { MAX_PART_BYTES } from './import/request/upload.ts';
import {
  datasetHandlers,
  factHandlers,
  fieldHandlers,
  marketDataHandlers,
  modelResultHandlers,
} from './server.ts';

/** The statements of an import take seconds, and longer on a busy machine. */
const IMPORT_TIMEOUT_MS = 120_000;

export const service = defineService('market-data', settings, async ({ config, log, operations, defer }) => {
  const calendar = await tradingCalendar(config);
  const at = clickhouseAddress(config);
  const clickhouse = connectClickHouse(at);
  const importClient = connectClickHouse(at, IMPORT_TIMEOUT_MS);
  const nats = await connectNats(config.NATS_URL, 'market-data', log, { replicas: config.STREAM_REPLICAS });
  defer('ClickHouse', () => Promise.all([clickhouse.close(), importClient.close()]));
  defer('NATS', () => nats.connection.drain());
  operations.readiness.uses('ClickHouse', clickhouseResponds(clickhouse));
  operations.readiness.uses('NATS', natsResponds(nats.connection));

  const sample = { tickers: config.SAMPLE_TICKERS, days: config.SAMPLE_DAYS };
  const cursorSecrets = secretsIn(config.CURSOR_SECRET);
  const pace = {
    calendar,
    pace: config.GENERATED_MARKET_PACE,
    syntheticDayMs: config.SYNTHETIC_DAY_SECONDS * 1_000,
  };
  const market = createMarketData({
    at,
    clickhouse,
    importClient,
    nats,
    sample,
    fieldBytes: config.FIELD_MEMORY_MIB * 1_048_576,
    cursorSecrets,
    pace,
    clock,
    log,
  });
  operations.readiness.needs('dataset', () => requireDataset(market.inUse));
  measureDataset(market.inUse, market.freshness);
  defer('background work', await market.startBackground());

  const stopping = new AbortController();
  const server = new GrpcServer({ service: 'market-data', config, log, maxRequestBytes: MAX_PART_BYTES })
    .add(DatasetServiceService, datasetHandlers({ ...market, stopping: stopping.signal }))
    .add(MarketDataServiceService, marketDataHandlers(market))
    .add(FieldServiceService, fieldHandlers(market))
    .add(FactServiceService, factHandlers(market))
    .add(ModelResultServiceService, modelResultHandlers({ ...market, clock }));
  await server.listen();
  defer('gRPC server', () => {
    stopping.abort();
    return server.stop();
  });
});

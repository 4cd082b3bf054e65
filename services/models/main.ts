import { CatalogueServiceService } from '#proto/saring/models/v1/catalogue.ts';
import { RunsServiceService } from '#proto/saring/models/v1/runs.ts';
import { systemClock as clock } from '#shared/clock.ts';
import { callerIdentity } from '#shared/grpc/callers.ts';
import { GrpcServer } from '#shared/grpc/server.ts';
import { randomId as newId } from '#shared/ids.ts';
import { connectNats } from '#shared/nats/connection.ts';
import { openPostgres } from '#shared/postgres/open-postgres.ts';
import { repeat } from '#shared/repeat.ts';
import { healthNameOf, type RunPart } from '#shared/run-protocol.ts';
import { runService } from '#shared/process/run-service.ts';
import { settings } from './config.ts';
import { createModels, createStores } from './create-models.ts';
import { Reconciliation } from './usage/reconciliation.ts';
import { watchRunHealth } from './run-health.ts';
import { catalogueHandlers, runsHandlers } from './server.ts';
import { migrations } from './store/migrations/index.ts';
import type { ModelsTables } from './store/tables.ts';
import { UsageLedger } from './usage/usage-ledger.ts';
import { TradingDays } from './trading-days.ts';
import { handlersWithoutNats, ReplaceableHandlers } from './without-nats.ts';

/** What is read is a version label, unless another one is served. */
const DAYS_PAUSE_MS = 1_000;

await runService('models', settings, async ({ config, log, defer }) => {
  const url = config.DATABASE_URL;
  const database = await openPostgres<ModelsTables>({ url, schema: 'models', migrations, log });
  defer('PostgreSQL', () => database.destroy());
  const stores = createStores(database);

  const stopping = new AbortController();
  const tradingDays = new TradingDays(config.MARKET_DATA_ADDRESS, config);
  const stopReading = repeat('reading the trading days', DAYS_PAUSE_MS, () => tradingDays.refresh(), log);
  defer('trading days', () => stopReading().finally(() => tradingDays.close()));
  const dates = { clock, pin: config.ANALYSIS_DATE_PIN, tradingDays };
  const served = new ReplaceableHandlers(handlersWithoutNats({ ...stores, dates, newId }, stopping.signal));
  const server = new GrpcServer({ config, log })
    .add(CatalogueServiceService, catalogueHandlers())
    .add(RunsServiceService, served.handlers);
  await server.bind();
  const nats = await connectNats(config.NATS_URL, 'models', log);
  defer('NATS', () => nats.connection.drain());

  const models = createModels({
    stores,
    nats,
    log,
    dates,
    retentionDays: config.RUN_RETENTION_DAYS,
  });
  defer('background work', models.startBackground());

  const identity = callerIdentity('models', 'USAGE_TOKEN', config, log);
  const ledger = new UsageLedger(config.USAGE_ADDRESS, config, identity);
  defer('usage service', () => ledger.close());
  defer('reconciliation', new Reconciliation({ ...models, ledger, jsm: nats.jsm }).start());

  served.replaceBy(runsHandlers({ ...models, stopping: stopping.signal }));
  server.reportHealthy();
  const report = (part: RunPart, isUp: boolean) => server.reportPart(healthNameOf(part), isUp);
  defer('run health', watchRunHealth({ ...models, nats, report }));
  defer('gRPC server', () => {
    stopping.abort();
    return server.stop();
  });
});

import type { Model } from '#models/model/model.ts';
import { EndUserDataServiceService } from '#proto/saring/end_users/v1/end_users.ts';
import { BackfillsServiceService } from '#proto/saring/models/v1/backfills.ts';
import { CatalogueServiceService } from '#proto/saring/models/v1/catalogue.ts';
import { RecordServiceService } from '#proto/saring/models/v1/record.ts';
import { RunsServiceService } from '#proto/saring/models/v1/runs.ts';
import { systemClock as clock } from '#foundation/clock.ts';
import { endUserHandlers } from '#shared/end-users/end-user-handlers.ts';
import { callerIdentity } from '#platform/grpc/callers.ts';
import { GrpcServer } from '#platform/grpc/server.ts';
import { randomId as newId } from '#foundation/ids.ts';
import { connectNats, natsResponds } from '#platform/nats/connection.ts';
import { WorkerHeartbeats } from '#shared/life-signs/worker-heartbeats.ts';
import { openPostgres, postgresResponds } from '#platform/postgres/open-postgres.ts';
import { measureOutbox } from '#platform/postgres/outbox-metrics.ts';
import { repeat } from '#platform/process/repeat.ts';
import { healthNameOf, type RunPart } from '#shared/runs/run-parts.ts';
import { defineService } from '#platform/process/service.ts';
import { RequestedStocks } from './runs/requested-stocks.ts';
import { CanaryResults } from './health/canary.ts';
import { shortfallOfModel } from './health/model-checks.ts';
import { settings } from './config.ts';
import { connectMarket } from './connect-market.ts';
import { backfillsHandlers, catalogueHandlers, recordHandlers, runsHandlers } from './server.ts';
import { createModels, createStores } from './create-models.ts';
import { UsageLedger } from './usage-records/reconciliation.ts';
import { watchRunHealth } from './health/run-health.ts';
import { measureRuns } from './health/run-metrics.ts';
import { ModelEvidence } from './record/model-evidence.ts';
import { ServedMarket } from './record/served-market.ts';
import { orUnavailable } from './store/unavailable.ts';
import { migrations } from './store/migrations/index.ts';
import type { ModelsTables } from './store/tables.ts';
import { TestMarketDays } from './analysis-day/test-market-days.ts';
import { TradingDays } from './analysis-day/trading-days.ts';
import { handlersWithoutNats, ReplaceableHandlers, unavailableHandlers } from './without-nats.ts';

/** Each read returns only a version label, unless a new version is served. */
const DAYS_PAUSE_MS = 1_000;
/** The record of a model changes once a day. */
const EVIDENCE_PAUSE_MS = 60_000;

export const service = defineService('models', settings, async ({ config, log, operations, defer }) => {
  const url = config.DATABASE_URL;
  const database = await openPostgres<ModelsTables>({ url, schema: 'models', migrations, log });
  defer('PostgreSQL', () => database.destroy());
  operations.readiness.needs('PostgreSQL', postgresResponds(database));
  const stores = createStores(database, config.RECORD_SECRET, log);

  const stopping = new AbortController();
  const workers = new WorkerHeartbeats();
  const { close, ...clients } = connectMarket(config, log);
  defer('market-data service', close);
  const tradingDays = new TradingDays(clients.datasets, (version) => workers.isAnyPrepared(version));
  defer(
    'trading days',
    repeat('reading the trading days', DAYS_PAUSE_MS, () => tradingDays.refresh(), log),
  );
  const stocks = new RequestedStocks(clients.fields);
  const dates = { clock, pin: config.ANALYSIS_DATE_PIN, tradingDays };
  const testDays = new TestMarketDays(clients.datasets);
  const canaries = new CanaryResults();
  const evidence = new ModelEvidence(stores.record);
  const readEvidence = () => evidence.refresh();
  defer('evidence of the record', repeat('reading the evidence', EVIDENCE_PAUSE_MS, readEvidence, log));
  const areDefaultsTrained = () => tradingDays.isLearning || workers.isAnyPrepared(tradingDays.version);
  const served = new ReplaceableHandlers(
    handlersWithoutNats({ ...stores, dates, testDays, stocks, newId }, stopping.signal),
  );
  const servedBackfills = new ReplaceableHandlers(unavailableHandlers(BackfillsServiceService));
  const servedEndUsers = new ReplaceableHandlers(unavailableHandlers(EndUserDataServiceService));
  const server = new GrpcServer({ service: 'models', config, log })
    .add(
      CatalogueServiceService,
      catalogueHandlers(dates, { canaries, evidence, areDefaultsTrained, stocks }),
    )
    .add(RunsServiceService, served.handlers)
    .add(RecordServiceService, recordHandlers(stores.record))
    .add(BackfillsServiceService, servedBackfills.handlers)
    .add(EndUserDataServiceService, servedEndUsers.handlers);
  await server.bind();
  const results = { retentionMs: config.RESULT_RETENTION_SECONDS * 1_000, ceiling: config.RESULT_CEILING };
  const replicas = config.STREAM_REPLICAS;
  const nats = await connectNats(config.NATS_URL, 'models', log, { replicas, results });
  defer('NATS', () => nats.connection.drain());
  operations.readiness.uses('NATS', natsResponds(nats.connection));
  workers.listenOn(nats.connection);
  defer('measuring', measureRuns(operations, { store: stores.store, jsm: nats.jsm }));
  defer('measuring the outbox', measureOutbox(operations, 'models', stores.outbox));

  const models = createModels({
    stores,
    evidence,
    nats,
    log,
    dates,
    testDays,
    stocks,
    runsAtOnce: () => workers.runsAtOnce,
    retentionDays: config.RUN_RETENTION_DAYS,
    backfillRetentionDays: config.BACKFILL_RETENTION_DAYS,
    resultLimits: results,
  });
  defer('background work', models.startBackground());

  const market = new ServedMarket(clients);
  const identity = callerIdentity('models', 'USAGE_TOKEN', config, log);
  const ledger = new UsageLedger(config.USAGE_ADDRESS, config, identity);
  defer('usage service', () => ledger.close());
  const lacksData = (model: Model) => shortfallOfModel(model, dates) !== undefined;
  const everySeconds = config.CANARY_SECONDS;
  if (everySeconds > 0) operations.readiness.uses('canary', () => canaries.requireBack());
  const stopCalling = models.startCallingOthers({
    market,
    ledger,
    dailyRuns: config.DAILY_RUNS,
    canaries: everySeconds > 0 ? { results: canaries, everySeconds, lacksData } : undefined,
    stopping: stopping.signal,
  });
  defer('calls of other services', stopCalling);

  served.replaceBy(runsHandlers({ ...models, stopping: stopping.signal }));
  servedBackfills.replaceBy(backfillsHandlers(models.backfills, models.pastPicks));
  servedEndUsers.replaceBy(endUserHandlers(models.endUsers, orUnavailable));
  server.reportHealthy();
  const downParts = new Set<RunPart>();
  const report = (part: RunPart, isUp: boolean) => {
    server.reportPart(healthNameOf(part), isUp);
    downParts[isUp ? 'delete' : 'add'](part);
  };
  operations.readiness.uses('runs', () => {
    if (downParts.size > 0) throw new Error(`no run can complete: ${[...downParts].join(', ')}`);
  });
  defer('run health', watchRunHealth({ ...models, nats, report }));
  defer('gRPC server', () => {
    stopping.abort();
    return server.stop();
  });
});

import { CatalogueServiceService } from '#proto/saring/models/v1/catalogue.ts';
import { RunsServiceService } from '#proto/saring/models/v1/runs.ts';
import { systemClock as clock } from '#shared/clock.ts';
import { GrpcServer } from '#shared/grpc/server.ts';
import { randomId } from '#shared/ids.ts';
import { connectNats } from '#shared/nats/connection.ts';
import { openPostgres } from '#shared/postgres.ts';
import { runService } from '#shared/run-service.ts';
import { startBackground } from './background.ts';
import { Cancellations } from './cancellations.ts';
import { settings } from './config.ts';
import { Jobs } from './jobs.ts';
import { LiveTier } from './live-tier.ts';
import { NatsPresence } from './nats-presence.ts';
import { RunRequests } from './run-requests.ts';
import { RunWatchers } from './run-watchers.ts';
import { Runs } from './runs.ts';
import { catalogueHandlers, runsHandlers } from './server.ts';
import { CancelledRuns } from './store/cancelled-runs.ts';
import { IdempotencyKeys } from './store/idempotency-keys.ts';
import { migrations } from './store/migrations/index.ts';
import { RunStore } from './store/run-store.ts';
import type { ModelsTables } from './store/tables.ts';
import { UsageRecords } from './usage-records.ts';

await runService('models', settings, async ({ config, log, defer }) => {
  const [database, nats] = await Promise.all([
    openPostgres<ModelsTables>({ url: config.DATABASE_URL, schema: 'models', migrations, log }),
    connectNats(config.NATS_URL, 'models', log),
  ]);
  defer('PostgreSQL', () => database.destroy());
  defer('NATS', () => nats.connection.drain());

  const store = new RunStore(database);
  const presence = new NatsPresence(nats.connection);
  const watchers = new RunWatchers(nats.connection, presence);
  const usage = new UsageRecords({ js: nats.js, store, log });
  const requests = new RunRequests({ js: nats.js, nats: presence, store, clock, log });
  const keys = new IdempotencyKeys(database);
  const cancellations = new Cancellations({
    ...{ cancelled: new CancelledRuns(database), connection: nats.connection, js: nats.js, nats: presence },
    ...{ usage, watchers, clock, log },
  });
  const deps = { store, keys, requests, usage, watchers, cancellations };
  const retentionDays = config.RUN_RETENTION_DAYS;
  defer('background work', startBackground({ ...deps, nats, clock, log, retentionDays }));

  const runs = new Runs({ ...deps, dates: { clock, pin: config.ANALYSIS_DATE_PIN }, newId: randomId });
  const live = new LiveTier({ jsm: nats.jsm, nats: presence, log });
  const jobs = new Jobs({ live, clock });
  const stopping = new AbortController();
  const server = new GrpcServer({ config, log })
    .add(CatalogueServiceService, catalogueHandlers())
    .add(RunsServiceService, runsHandlers({ runs, jobs, live, stopping: stopping.signal }));
  await server.listen();
  defer('gRPC server', () => {
    stopping.abort();
    return server.stop();
  });
});

import { FeedServiceService } from '#proto/saring/feed/v1/feed.ts';
import { DatasetServiceService } from '#proto/saring/market_data/v1/datasets.ts';
import { systemClock as clock } from '#foundation/clock.ts';
import { tradingCalendar } from '#shared/market/trading-calendar.ts';
import { callerIdentity } from '#platform/grpc/callers.ts';
import { createGrpcClient } from '#platform/grpc/client.ts';
import { GrpcServer } from '#platform/grpc/server.ts';
import { connectNats, natsResponds } from '#platform/nats/connection.ts';
import { startFeedHeartbeat } from '#shared/life-signs/feed-heartbeats.ts';
import { openPostgres, postgresResponds } from '#platform/postgres/open-postgres.ts';
import { measureOutbox } from '#platform/postgres/outbox-metrics.ts';
import { defineService } from '#platform/process/service.ts';
import { settings, type FeedConfig } from './config.ts';
import { createFeed } from './create-feed.ts';
import { measureFeed } from './feed.ts';
import { feedHandlers } from './server.ts';
import { createSources, type SourcesDependencies } from './sources/create-sources.ts';
import { readDefinitions } from './sources/definition.ts';
import { GeneratorSource } from './sources/generator.ts';
import type { Source } from './sources/source.ts';
import { migrations } from './store/migrations/index.ts';
import type { FeedTables } from './store/tables.ts';

const READ_TIMEOUT_MS = 5_000;

export const service = defineService('feed', settings, async ({ config, log, operations, defer }) => {
  const calendar = await tradingCalendar(config);
  const surroundings = { calendar, clock, env: process.env };
  const sources = await declaredSources(config, surroundings);
  const { DATABASE_URL: url, MARKET_DATA_ADDRESS: address } = config;
  const database = await openPostgres<FeedTables>({ url, schema: 'feed', migrations, log });
  defer('PostgreSQL', () => database.destroy());
  operations.readiness.needs('PostgreSQL', postgresResponds(database));
  const nats = await connectNats(config.NATS_URL, 'feed', log);
  defer('NATS', () => nats.connection.drain());
  operations.readiness.uses('NATS', natsResponds(nats.connection));
  const datasets = createGrpcClient(DatasetServiceService, {
    address,
    unavailableCode: 'data_unavailable',
    timeoutMs: READ_TIMEOUT_MS,
    tls: config,
    identity: callerIdentity('feed', 'MARKET_DATA_TOKEN', config, log),
  });
  defer('market-data', () => datasets.close());

  const { feed, fetches, outbox, startBackground } = createFeed({
    database,
    datasets,
    sources,
    calendar,
    keepVersions: config.KEEP_VERSIONS,
    fetchRetentionDays: config.FETCH_RETENTION_DAYS,
    clock,
    log,
  });
  outbox.publishTo(nats);
  defer('background work', await startBackground());
  defer('measuring', measureFeed(operations, feed));
  defer('measuring the outbox', measureOutbox(operations, 'feed', outbox));
  defer(
    'heartbeats',
    startFeedHeartbeat(nats.connection, () => feed.barSources(), log),
  );

  const server = new GrpcServer({ service: 'feed', config, log });
  await server.add(FeedServiceService, feedHandlers({ feed, fetches, surroundings })).listen();
  defer('gRPC server', () => server.stop());
});

/**
 * Every source of the feed: the generator, unless it stands still, and those of the file that FEED_SOURCES names.
 * @throws ConfigError naming every field of the file that is wrong
 */
async function declaredSources(
  { FEED_SOURCES, GENERATED_MARKET_PACE, SYNTHETIC_DAY_SECONDS }: FeedConfig,
  dependencies: SourcesDependencies,
): Promise<Source[]> {
  const definitions = FEED_SOURCES === '' ? [] : await readDefinitions(FEED_SOURCES);
  const declared = createSources(definitions, dependencies);
  if (GENERATED_MARKET_PACE === 'off') return declared;
  const pace = GENERATED_MARKET_PACE === 'calendar' ? 'calendar' : { dayMs: SYNTHETIC_DAY_SECONDS * 1_000 };
  return [new GeneratorSource(pace, dependencies.calendar), ...declared];
}

import type { Kysely } from 'kysely';
import type { DatasetServiceService } from '#proto/saring/market_data/v1/datasets.ts';
import type { TradingCalendar } from '#quant/exchange/calendar/trading-calendar.ts';
import type { Clock } from '#foundation/clock.ts';
import type { ServiceClient } from '#platform/grpc/client.ts';
import type { Logger } from '#platform/operations/logger.ts';
import { startingWithPostgres } from '#platform/postgres/open-postgres.ts';
import { Outbox } from '#platform/postgres/outbox.ts';
import { purgeExpired } from '#platform/postgres/purge-expired.ts';
import { repeat } from '#platform/process/repeat.ts';
import { DatasetPublisher } from './market/dataset-publisher.ts';
import { Feed } from './feed.ts';
import { LateDays } from './late-days.ts';
import { Retention } from './retention.ts';
import { Rounds } from './rounds.ts';
import { ServedMarket } from './market/served-market.ts';
import type { Source } from './sources/source.ts';
import { FetchStore } from './store/fetch-store.ts';
import { SourceStore } from './store/source-store.ts';
import type { FeedTables } from './store/tables.ts';

const ROUND_PAUSE_MS = 1_000;
const LATE_PAUSE_MS = 30_000;
const PURGE_PAUSE_MS = 600_000;

interface FeedDependencies {
  database: Kysely<FeedTables>;
  datasets: ServiceClient<DatasetServiceService>;
  sources: readonly Source[];
  calendar: TradingCalendar;
  keepVersions: number;
  /** 0 keeps every fetch for ever. */
  fetchRetentionDays: number;
  clock: Clock;
  log: Logger;
}

/** The feed without its gRPC side. */
export function createFeed({
  database,
  datasets,
  sources,
  calendar,
  clock,
  log,
  ...limits
}: FeedDependencies) {
  const store = new SourceStore(database);
  const fetches = new FetchStore(database);
  const retention = new Retention({ database, datasets, keepVersions: limits.keepVersions, clock, log });
  const rounds = new Rounds({
    store,
    fetches,
    served: new ServedMarket(datasets),
    publisher: new DatasetPublisher(datasets),
    tradingDays: (from, to) => calendar.tradingDays(from, to),
    onPublished: (market) => retention.prune(market),
    clock,
    log,
  });
  const outbox = new Outbox({ database, log });
  const lateDays = new LateDays({ outbox, datasets, calendar, clock });
  const kept = { clock, retentionDays: limits.fetchRetentionDays };
  return {
    feed: new Feed({ sources, store, fetches, calendar, clock }),
    fetches,
    rounds,
    outbox,
    lateDays,
    /** Starts the background work. Returns a function that stops it and waits for work in progress. */
    startBackground: async () => {
      const names = sources.map(({ name }) => name);
      await startingWithPostgres(() => store.declare(names, clock()), log);
      const stopping = new AbortController();
      const stops = [
        ...sources.map((source) =>
          repeat(`asking ${source.name}`, ROUND_PAUSE_MS, () => rounds.serve(source, stopping.signal), log),
        ),
        repeat(
          'removing old fetches',
          PURGE_PAUSE_MS,
          () => purgeExpired(fetches, kept, stopping.signal),
          log,
        ),
        repeat('telling of late days', LATE_PAUSE_MS, () => lateDays.tellDue(), log),
        outbox.start(),
      ];
      return () => {
        stopping.abort();
        return Promise.all(stops.map((stop) => stop()));
      };
    },
  };
}

import type { Kysely } from 'kysely';
import type { Clock } from '#foundation/clock.ts';
import type { IdSource } from '#foundation/ids.ts';
import type { Logger } from '#platform/operations/logger.ts';
import { purgeExpired } from '#platform/postgres/purge-expired.ts';
import { repeat } from '#platform/process/repeat.ts';
import { Firings } from './firings.ts';
import { NewestTradingDay } from '#shared/market/newest-trading-day.ts';
import { Schedules } from './schedules.ts';
import type { connectServices } from './services.ts';
import { FiringStore } from './store/firing-store.ts';
import { endUserSchedules, ScheduleStore } from './store/schedule-store.ts';
import type { SchedulerTables } from './store/tables.ts';
import { Submissions } from './submission.ts';

const ROUND_PAUSE_MS = 1_000;
const PURGE_PAUSE_MS = 600_000;

interface SchedulerDependencies {
  database: Kysely<SchedulerTables>;
  services: Omit<ReturnType<typeof connectServices>, 'close'>;
  /** 0 keeps every outcome for ever. */
  firingRetentionDays: number;
  /** How long schedules wait while the served market ends before the day that they have come to. */
  heldUpMs: number;
  clock: Clock;
  newId: IdSource;
  log: Logger;
}

/** The scheduler without its gRPC side. */
export function createScheduler({ database, services, clock, newId, log, ...limits }: SchedulerDependencies) {
  const { keys, datasets, catalogue, runs } = services;
  const firings = new FiringStore(database);
  const newest = new NewestTradingDay({ datasets, log });
  return {
    endUsers: endUserSchedules(database),
    schedules: new Schedules({
      store: new ScheduleStore(database),
      firings,
      keys,
      catalogue,
      newest,
      heldUpMs: limits.heldUpMs,
      clock,
      newId,
    }),
    /** Starts the background work. Returns a function that stops it and waits for work in progress. */
    startBackground: () => {
      const stopping = new AbortController();
      const submissions = new Submissions({ keys, runs, clock, stopping: stopping.signal });
      const rounds = new Firings({
        store: firings,
        submissions,
        newest,
        heldUpMs: limits.heldUpMs,
        clock,
        log,
      });
      const retention = { clock, retentionDays: limits.firingRetentionDays };
      const purge = () => purgeExpired(firings, retention, stopping.signal);
      const following = newest.follow(stopping.signal);
      const stops = [
        repeat('running what is due', ROUND_PAUSE_MS, () => rounds.round(), log),
        repeat('removing old firings', PURGE_PAUSE_MS, purge, log),
      ];
      return () => {
        stopping.abort();
        return Promise.all([following, ...stops.map((stop) => stop())]);
      };
    },
  };
}

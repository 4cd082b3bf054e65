import { SchedulerServiceService } from '#proto/saring/scheduler/v1/scheduler.ts';
import { systemClock as clock } from '#shared/clock.ts';
import { GrpcServer } from '#shared/grpc/server.ts';
import { randomId } from '#shared/ids.ts';
import { openPostgres, postgresAnswers } from '#shared/postgres/open-postgres.ts';
import { repeat } from '#shared/repeat.ts';
import { defineService } from '#shared/process/service.ts';
import { settings } from './config.ts';
import { Firings, purgeFirings } from './firings.ts';
import { NewestTradingDay } from './newest-trading-day.ts';
import { Schedules } from './schedules.ts';
import { schedulerHandlers } from './server.ts';
import { connectServices } from './services.ts';
import { FiringStore } from './store/firing-store.ts';
import { migrations } from './store/migrations/index.ts';
import { ScheduleStore } from './store/schedule-store.ts';
import type { SchedulerTables } from './store/tables.ts';
import { Submissions } from './submission.ts';

const ROUND_PAUSE_MS = 1_000;
const PURGE_PAUSE_MS = 600_000;

export const service = defineService('scheduler', settings, async ({ config, log, operations, defer }) => {
  const { DATABASE_URL: url } = config;
  const database = await openPostgres<SchedulerTables>({ url, schema: 'scheduler', migrations, log });
  defer('PostgreSQL', () => database.destroy());
  operations.readiness.needs('PostgreSQL', postgresAnswers(database));
  const { keys, datasets, catalogue, runs, close } = connectServices(config, log);
  defer('services', close);

  const newest = new NewestTradingDay({ datasets, log });
  const stopping = new AbortController();
  const firings = new FiringStore(database);
  const submissions = new Submissions({ keys, runs, clock, stopping: stopping.signal });
  const rounds = new Firings({ store: firings, submissions, newest, clock, log });
  const following = newest.follow(stopping.signal);
  const stopRounds = repeat('running what is due', ROUND_PAUSE_MS, () => rounds.round(), log);
  const purge = () => purgeFirings(firings, clock, config.FIRING_RETENTION_DAYS, stopping.signal);
  const stopPurging = repeat('removing old firings', PURGE_PAUSE_MS, purge, log);
  defer('background work', () => {
    stopping.abort();
    return Promise.all([following, stopRounds(), stopPurging()]);
  });

  const store = new ScheduleStore(database);
  const schedules = new Schedules({ store, firings, keys, catalogue, newest, clock, newId: randomId });
  const server = new GrpcServer({ service: 'scheduler', config, log });
  await server.add(SchedulerServiceService, schedulerHandlers(schedules)).listen();
  defer('gRPC server', () => server.stop());
});

import { EndUserDataServiceService } from '#proto/saring/end_users/v1/end_users.ts';
import { SchedulerServiceService } from '#proto/saring/scheduler/v1/scheduler.ts';
import { systemClock as clock } from '#foundation/clock.ts';
import { endUserHandlers } from '#shared/end-users/end-user-handlers.ts';
import { GrpcServer } from '#platform/grpc/server.ts';
import { randomId as newId } from '#foundation/ids.ts';
import { openPostgres, postgresResponds } from '#platform/postgres/open-postgres.ts';
import { defineService } from '#platform/process/service.ts';
import { settings } from './config.ts';
import { createScheduler } from './create-scheduler.ts';
import { schedulerHandlers, whileThere } from './server.ts';
import { connectServices } from './services.ts';
import { migrations } from './store/migrations/index.ts';
import type { SchedulerTables } from './store/tables.ts';

export const service = defineService('scheduler', settings, async ({ config, log, operations, defer }) => {
  const { DATABASE_URL: url } = config;
  const database = await openPostgres<SchedulerTables>({ url, schema: 'scheduler', migrations, log });
  defer('PostgreSQL', () => database.destroy());
  operations.readiness.needs('PostgreSQL', postgresResponds(database));
  const services = connectServices(config, log);
  defer('services', services.close);

  const { schedules, endUsers, startBackground } = createScheduler({
    database,
    services,
    firingRetentionDays: config.FIRING_RETENTION_DAYS,
    heldUpMs: config.HELD_UP_MINUTES * 60_000,
    clock,
    newId,
    log,
  });
  defer('background work', startBackground());

  const server = new GrpcServer({ service: 'scheduler', config, log });
  server.add(SchedulerServiceService, schedulerHandlers(schedules));
  await server.add(EndUserDataServiceService, endUserHandlers(endUsers, whileThere)).listen();
  defer('gRPC server', () => server.stop());
});

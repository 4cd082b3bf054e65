import { EndUserDataServiceService } from '#proto/saring/end_users/v1/end_users.ts';
import { ScreensServiceService } from '#proto/saring/screens/v1/screens.ts';
import { WatchlistsServiceService } from '#proto/saring/screens/v1/watchlists.ts';
import { systemClock as clock } from '#foundation/clock.ts';
import { secretsIn } from '#platform/configuration/config.ts';
import { endUserHandlers } from '#shared/end-users/end-user-handlers.ts';
import { GrpcServer } from '#platform/grpc/server.ts';
import { randomId as newId } from '#foundation/ids.ts';
import { connectNats, natsResponds, type Nats } from '#platform/nats/connection.ts';
import { openPostgres, postgresResponds } from '#platform/postgres/open-postgres.ts';
import { measureOutbox } from '#platform/postgres/outbox-metrics.ts';
import { defineService } from '#platform/process/service.ts';
import { settings } from './config.ts';
import { connectServices } from './connect-services.ts';
import { createScreens } from './create-screens.ts';
import { measureScreens } from './following/set-aside.ts';
import { screensHandlers, watchlistsHandlers, whileThere } from './server.ts';
import { migrations } from './store/migrations/index.ts';
import type { ScreensTables } from './store/tables.ts';

export const service = defineService('screens', settings, async ({ config, log, operations, defer }) => {
  const { DATABASE_URL: url } = config;
  const database = await openPostgres<ScreensTables>({ url, schema: 'screens', migrations, log });
  defer('PostgreSQL', () => database.destroy());
  operations.readiness.needs('PostgreSQL', postgresResponds(database));
  const { close, ...clients } = connectServices(config, log);
  defer('services that screens call', close);

  const screens = createScreens({
    database,
    clients,
    cursorSecrets: secretsIn(config.CURSOR_SECRET),
    limits: {
      screens: { perEndUser: config.SCREENS_PER_END_USER, perKey: config.SCREENS_PER_KEY },
      watchlists: { perEndUser: config.WATCHLISTS_PER_END_USER, perKey: config.WATCHLISTS_PER_KEY },
      changesRetentionDays: config.SCREEN_CHANGES_RETENTION_DAYS,
    },
    clock,
    newId,
    log,
  });
  // Screens are answered without NATS: their runs are held until it is there.
  let connected: Nats | undefined;
  defer('NATS', () => connected?.connection.drain());
  operations.readiness.uses('NATS', () => {
    if (!connected) throw new Error('not connected yet');
    return natsResponds(connected.connection)();
  });
  void connectNats(config.NATS_URL, 'screens', log, { timeoutMs: Infinity }).then((nats) => {
    connected = nats;
    screens.publishTo(nats);
  });
  defer('background work', screens.startBackground());
  defer('measuring the outbox', measureOutbox(operations, 'screens', screens.outbox));
  defer('measuring screens', measureScreens(operations, screens.places, clock));

  const server = new GrpcServer({ service: 'screens', config, log });
  server.add(ScreensServiceService, screensHandlers(screens));
  server.add(WatchlistsServiceService, watchlistsHandlers(screens));
  await server.add(EndUserDataServiceService, endUserHandlers(screens.endUsers, whileThere)).listen();
  defer('gRPC server', () => server.stop());
});

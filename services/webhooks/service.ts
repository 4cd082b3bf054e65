import { WebhooksServiceService } from '#proto/saring/webhooks/v1/webhooks.ts';
import { systemClock as clock } from '#shared/clock.ts';
import { secretsIn } from '#shared/config/config.ts';
import { GrpcServer } from '#shared/grpc/server.ts';
import { randomId as newId } from '#shared/ids.ts';
import { openPostgres, postgresResponds } from '#shared/postgres/open-postgres.ts';
import { defineService } from '#shared/process/service.ts';
import { settings } from './config.ts';
import { createWebhooks } from './create-webhooks.ts';
import { webhooksHandlers } from './server.ts';
import { migrations } from './store/migrations/index.ts';
import type { WebhooksTables } from './store/tables.ts';

export const service = defineService('webhooks', settings, async ({ config, log, operations, defer }) => {
  const { DATABASE_URL: url } = config;
  const database = await openPostgres<WebhooksTables>({ url, schema: 'webhooks', migrations, log });
  defer('PostgreSQL', () => database.destroy());
  operations.readiness.needs('PostgreSQL', postgresResponds(database));

  const webhooks = createWebhooks({
    database,
    cursorSecrets: secretsIn(config.CURSOR_SECRET),
    eventRetentionDays: config.EVENT_RETENTION_DAYS,
    clock,
    newId,
    log,
  });
  defer('background work', webhooks.startBackground());

  const server = new GrpcServer({ service: 'webhooks', config, log });
  await server.add(WebhooksServiceService, webhooksHandlers(webhooks)).listen();
  defer('gRPC server', () => server.stop());
});

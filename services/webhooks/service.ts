import { EndUserDataServiceService } from '#proto/saring/end_users/v1/end_users.ts';
import { EventsServiceService } from '#proto/saring/webhooks/v1/events.ts';
import { WebhooksServiceService } from '#proto/saring/webhooks/v1/webhooks.ts';
import { systemClock as clock } from '#foundation/clock.ts';
import { secretsIn } from '#platform/configuration/config.ts';
import { endUserHandlers } from '#shared/end-users/end-user-handlers.ts';
import { GrpcServer } from '#platform/grpc/server.ts';
import { randomId as newId } from '#foundation/ids.ts';
import { connectNats, natsResponds } from '#platform/nats/connection.ts';
import { openPostgres, postgresResponds } from '#platform/postgres/open-postgres.ts';
import { measureOutbox } from '#platform/postgres/outbox-metrics.ts';
import { defineService } from '#platform/process/service.ts';
import { rangesIn, settings } from './config.ts';
import { connectServices } from './connect-services.ts';
import { createWebhooks } from './create-webhooks.ts';
import { measureWebhooks } from './dispatch/dispatch-metrics.ts';
import { portRangesIn } from './sending/endpoint-url.ts';
import { dnsResolve } from './sending/resolve.ts';
import { eventsHandlers, webhooksHandlers, whileThere } from './server.ts';
import { migrations } from './store/migrations/index.ts';
import type { WebhooksTables } from './store/tables.ts';

/** As the documents of applications say. */
const ATTEMPT_TIMEOUT_MS = 10_000;

export const service = defineService('webhooks', settings, async ({ config, log, operations, defer }) => {
  const { DATABASE_URL: url } = config;
  const database = await openPostgres<WebhooksTables>({ url, schema: 'webhooks', migrations, log });
  defer('PostgreSQL', () => database.destroy());
  operations.readiness.needs('PostgreSQL', postgresResponds(database));
  const nats = await connectNats(config.NATS_URL, 'webhooks', log);
  defer('NATS', () => nats.connection.drain());
  operations.readiness.uses('NATS', natsResponds(nats.connection));
  const { close, ...clients } = connectServices(config, log);
  defer('services that webhooks call', close);

  const webhooks = createWebhooks({
    database,
    nats,
    clients,
    cursorSecrets: secretsIn(config.CURSOR_SECRET),
    secretKeys: secretsIn(config.WEBHOOK_SECRET_KEY),
    eventRetentionDays: config.EVENT_RETENTION_DAYS,
    webhooksPerKey: config.WEBHOOKS_PER_KEY,
    sending: {
      allowedRanges: rangesIn(config.WEBHOOK_ALLOWED_RANGES),
      ports: portRangesIn(config.WEBHOOK_PORTS),
      resolve: dnsResolve(),
      attemptTimeoutMs: ATTEMPT_TIMEOUT_MS,
      endpointsAtOnce: config.WEBHOOK_ENDPOINTS_AT_ONCE,
      perEndpoint: config.WEBHOOK_DELIVERIES_PER_ENDPOINT,
    },
    clock,
    random: Math.random,
    newId,
    log,
  });
  defer('measuring', measureWebhooks(operations, { ...webhooks, clock }));
  defer('measuring the outbox', measureOutbox(operations, 'webhooks', webhooks.outbox));
  defer('background work', webhooks.startBackground());

  const stopping = new AbortController();
  const server = new GrpcServer({ service: 'webhooks', config, log });
  server.add(EventsServiceService, eventsHandlers({ ...webhooks, stopping: stopping.signal }));
  server.add(WebhooksServiceService, webhooksHandlers(webhooks));
  await server.add(EndUserDataServiceService, endUserHandlers(webhooks.endUsers, whileThere)).listen();
  defer('gRPC server', () => {
    stopping.abort();
    return server.stop();
  });
});

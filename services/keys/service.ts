import { systemClock as clock } from '#foundation/clock.ts';
import { secretsIn } from '#platform/configuration/config.ts';
import { GrpcServer } from '#platform/grpc/server.ts';
import { randomId as newId } from '#foundation/ids.ts';
import { connectNats, natsResponds } from '#platform/nats/connection.ts';
import { subjects } from '#platform/nats/subjects.ts';
import { openPostgres, postgresResponds } from '#platform/postgres/open-postgres.ts';
import { measureOutbox } from '#platform/postgres/outbox-metrics.ts';
import { defineService } from '#platform/process/service.ts';
import { settings } from './config.ts';
import { createKeys } from './create-keys.ts';
import { KEYS_SERVICE, keysHandlers } from './server.ts';
import { migrations } from './store/migrations/index.ts';
import type { KeysTables } from './store/tables.ts';

export const service = defineService('keys', settings, async ({ config, log, operations, defer }) => {
  const [database, nats] = await Promise.all([
    openPostgres<KeysTables>({ url: config.DATABASE_URL, schema: 'keys', migrations, log }),
    connectNats(config.NATS_URL, 'keys', log),
  ]);
  defer('PostgreSQL', () => database.destroy());
  operations.readiness.needs('PostgreSQL', postgresResponds(database));
  defer('NATS', () => nats.connection.drain());
  operations.readiness.uses('NATS', natsResponds(nats.connection));

  const keys = createKeys({
    database,
    peppers: secretsIn(config.KEY_PEPPER),
    defaultRateLimit: config.DEFAULT_RATE_LIMIT,
    auditRetentionDays: config.KEY_AUDIT_RETENTION_DAYS,
    checksLastMs: config.KEY_CHECKS_LAST_SECONDS * 1_000,
    announceChange: (keyId) => nats.connection.publish(subjects.keyChanged, keyId),
    clock,
    newId,
    log,
  });
  nats.connection.subscribe(subjects.keyChanged, {
    callback: (error, message) => {
      if (!error) keys.checked.forget(message.string());
    },
  });
  keys.outbox.publishTo(nats);
  defer('background work', keys.startBackground());
  defer('measuring', measureOutbox(operations, 'keys', keys.outbox));

  const server = new GrpcServer({ service: 'keys', config, log });
  await server.add(KEYS_SERVICE, keysHandlers(keys)).listen();
  defer('gRPC server', () => server.stop());
});

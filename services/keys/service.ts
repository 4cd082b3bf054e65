import { systemClock } from '#shared/clock.ts';
import { secretsIn } from '#shared/config/config.ts';
import { GrpcServer } from '#shared/grpc/server.ts';
import { pepperId, randomId } from '#shared/ids.ts';
import { connectNats, natsAnswers } from '#shared/nats/connection.ts';
import { subjects } from '#shared/nats/subjects.ts';
import { openPostgres, postgresAnswers } from '#shared/postgres/open-postgres.ts';
import { repeat } from '#shared/repeat.ts';
import { defineService } from '#shared/process/service.ts';
import { ApiKeys } from './api-keys.ts';
import { Authentication } from './authentication.ts';
import { settings } from './config.ts';
import { LastUses } from './last-uses.ts';
import { KEYS_SERVICE } from './received-labels.ts';
import { keysHandlers } from './server.ts';
import { KeyChanges } from './store/key-changes.ts';
import { KeyStore } from './store/key-store.ts';
import { migrations } from './store/migrations/index.ts';
import type { KeysTables } from './store/tables.ts';

const FORGET_PAUSE_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** An operator who rotates the pepper learns this often whether the earlier pepper can be removed. */
const COUNT_PAUSE_MS = 60_000;

export const service = defineService('keys', settings, async ({ config, log, operations, defer }) => {
  const [database, nats] = await Promise.all([
    openPostgres<KeysTables>({ url: config.DATABASE_URL, schema: 'keys', migrations, log }),
    connectNats(config.NATS_URL, 'keys', log),
  ]);
  defer('PostgreSQL', () => database.destroy());
  operations.readiness.needs('PostgreSQL', postgresAnswers(database));
  defer('NATS', () => nats.connection.drain());
  operations.readiness.uses('NATS', natsAnswers(nats.connection));

  const store = new KeyStore(database);
  const changes = new KeyChanges(database);
  const peppers = secretsIn(config.KEY_PEPPER);
  const common = { store, clock: systemClock, peppers };
  const keys = new ApiKeys({
    ...common,
    changes,
    newId: randomId,
    defaultRateLimit: config.DEFAULT_RATE_LIMIT,
    announceChange: (keyId) => nats.connection.publish(subjects.keyChanged, keyId),
  });
  const lastUses = new LastUses({
    write: (keyId, usedAt) => changes.touch(keyId, usedAt),
    clock: systemClock,
    log,
  });
  defer('last uses', () => lastUses.settled());
  if (config.KEY_AUDIT_RETENTION_DAYS > 0) {
    const forget = () =>
      changes.forgetActions(new Date(systemClock().getTime() - config.KEY_AUDIT_RETENTION_DAYS * DAY_MS));
    defer('audit retention', repeat('removing old actions on keys', FORGET_PAUSE_MS, forget, log));
  }
  const authentication = new Authentication({
    ...common,
    lastUses,
    renew: (from, to) =>
      void changes
        .rehash(from, to)
        .catch((error: unknown) =>
          log.warn({ err: error }, 'a secret could not be moved to the first pepper'),
        ),
  });
  if (peppers.length > 1) {
    const tell = async () => {
      const secrets = await store.countUnderOthers(pepperId(peppers[0]), systemClock());
      log.info({ secrets }, 'secrets that have not been used under the first pepper yet');
    };
    defer(
      'count of earlier peppers',
      repeat('counting secrets under earlier peppers', COUNT_PAUSE_MS, tell, log),
    );
  }

  const server = new GrpcServer({ service: 'keys', config, log });
  const handlers = keysHandlers({ keys, authentication });
  await server.add(KEYS_SERVICE, handlers).listen();
  defer('gRPC server', () => server.stop());
});

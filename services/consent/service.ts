import { ConsentServiceService } from '#proto/saring/consent/v1/consent.ts';
import { systemClock as clock } from '#shared/clock.ts';
import { GrpcServer } from '#shared/grpc/server.ts';
import { randomId } from '#shared/ids.ts';
import { openPostgres, postgresAnswers } from '#shared/postgres/open-postgres.ts';
import { repeat } from '#shared/repeat.ts';
import { defineService } from '#shared/process/service.ts';
import { settings } from './config.ts';
import { Consents } from './consents.ts';
import { STATEMENT_TIMEOUT_MS } from './fail-closed.ts';
import { consentHandlers } from './server.ts';
import { ConsentStore } from './store/consent-store.ts';
import { migrations } from './store/migrations/index.ts';
import type { ConsentTables } from './store/tables.ts';
import { Documents, loadDocuments } from './texts/document.ts';

const FORGET_PAUSE_MS = 600_000;

export const service = defineService('consent', settings, async ({ config, log, operations, defer }) => {
  const documents = new Documents(await loadDocuments(config.CONSENT_DOCUMENTS || undefined));
  const database = await openPostgres<ConsentTables>({
    url: config.DATABASE_URL,
    schema: 'consent',
    migrations,
    log,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  });
  defer('PostgreSQL', () => database.destroy());
  operations.readiness.needs('PostgreSQL', postgresAnswers(database));

  const store = new ConsentStore(database);
  const consents = new Consents({ store, documents, clock, newId: randomId });
  const stopping = new AbortController();
  const forgetKeys = () => consents.forgetKeys(stopping.signal);
  const stopForgetting = repeat('forgetting idempotency keys', FORGET_PAUSE_MS, forgetKeys, log);
  defer('forgetting idempotency keys', () => {
    stopping.abort();
    return stopForgetting();
  });

  const server = new GrpcServer({ service: 'consent', config, log }).add(
    ConsentServiceService,
    consentHandlers(consents, documents),
  );
  await server.listen();
  defer('gRPC server', () => server.stop());
});

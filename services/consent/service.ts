import { ConsentServiceService } from '#proto/saring/consent/v1/consent.ts';
import { EndUserDataServiceService } from '#proto/saring/end_users/v1/end_users.ts';
import { systemClock as clock } from '#foundation/clock.ts';
import { endUserHandlers } from '#shared/end-users/end-user-handlers.ts';
import { GrpcServer } from '#platform/grpc/server.ts';
import { randomId as newId } from '#foundation/ids.ts';
import { openPostgres, postgresResponds } from '#platform/postgres/open-postgres.ts';
import { defineService } from '#platform/process/service.ts';
import { settings } from './config.ts';
import { createConsent } from './create-consent.ts';
import { STATEMENT_TIMEOUT_MS } from './store/fail-closed.ts';
import { consentHandlers, whileThere } from './server.ts';
import { migrations } from './store/migrations/index.ts';
import type { ConsentTables } from './store/tables.ts';
import { Documents, loadDocuments } from './texts/document.ts';

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
  operations.readiness.needs('PostgreSQL', postgresResponds(database));

  const { consents, endUsers, startBackground } = createConsent({ database, documents, clock, newId, log });
  defer('background work', startBackground());

  const server = new GrpcServer({ service: 'consent', config, log });
  server.add(ConsentServiceService, consentHandlers(consents, documents));
  await server.add(EndUserDataServiceService, endUserHandlers(endUsers, whileThere)).listen();
  defer('gRPC server', () => server.stop());
});

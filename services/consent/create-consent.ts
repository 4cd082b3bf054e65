import type { Kysely } from 'kysely';
import type { Clock } from '#foundation/clock.ts';
import type { IdSource } from '#foundation/ids.ts';
import type { Logger } from '#platform/operations/logger.ts';
import { repeat } from '#platform/process/repeat.ts';
import { Consents } from './consent-gate.ts';
import { ConsentStore } from './store/consent-store.ts';
import { endUserConsents } from './store/end-user-consents.ts';
import type { ConsentTables } from './store/tables.ts';
import type { Documents } from './texts/document.ts';

const FORGET_PAUSE_MS = 600_000;

interface ConsentDependencies {
  database: Kysely<ConsentTables>;
  documents: Documents;
  clock: Clock;
  newId: IdSource;
  log: Logger;
}

/** The consent service without its gRPC side. */
export function createConsent({ database, documents, clock, newId, log }: ConsentDependencies) {
  const store = new ConsentStore(database);
  const consents = new Consents({ store, documents, clock, newId });
  return {
    store,
    consents,
    endUsers: endUserConsents(database, clock),
    /** Starts the background work. Returns a function that stops it and waits for work in progress. */
    startBackground: () => {
      const stopping = new AbortController();
      const forgetKeys = () => consents.forgetKeys(stopping.signal);
      const stopForgetting = repeat('forgetting idempotency keys', FORGET_PAUSE_MS, forgetKeys, log);
      return () => {
        stopping.abort();
        return stopForgetting();
      };
    },
  };
}

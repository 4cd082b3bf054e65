import type { Migration } from 'kysely/migration';
import { createOutbox } from '#platform/postgres/outbox.ts';

/** Events of runs that ended, on their way to applications. */
export const outbox: Migration = { up: createOutbox };

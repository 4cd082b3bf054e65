import type { Kysely } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll } from 'vitest';
import { migrations } from '#services/feed/store/migrations/index.ts';
import type { FeedTables } from '#services/feed/store/tables.ts';
import { openPostgres } from '#platform/postgres/open-postgres.ts';

/** Gives a test file the database of a feed. Call at the top level of the file; the database is there when tests run. */
export function feedDatabase(servers: { databaseUrl: string }): { database: Kysely<FeedTables> } {
  const own = {} as { database: Kysely<FeedTables> };
  beforeAll(async () => {
    const log = pino({ level: 'silent' });
    own.database = await openPostgres({ url: servers.databaseUrl, schema: 'feed', migrations, log });
  });
  afterAll(() => own.database?.destroy());
  return own;
}

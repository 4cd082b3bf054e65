import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { openPostgres } from '#platform/postgres/open-postgres.ts';
import { ownServers } from '#support/servers/servers.ts';

/** Longer than the statement timeout of a running service. */
const LONG_S = 6;

const servers = ownServers();
const slow: Migration = {
  async up(db) {
    await db.schema.createTable('note').addColumn('text', 'text').execute();
    await sql`select pg_sleep(${LONG_S})`.execute(db);
  },
};

const open = (migrations: Record<string, Migration>) =>
  openPostgres<{ note: { text: string } }>({
    url: servers.databaseUrl,
    schema: 'slow_start',
    migrations,
    log: pino({ level: 'silent' }),
  });

test('a migration, or waiting for another process’s migration, may exceed the statement timeout', async () => {
  const begun = performance.now();
  const databases = await Promise.all([open({ '001_note': slow }), open({ '001_note': slow })]);
  expect(performance.now() - begun).toBeGreaterThan(LONG_S * 1_000);
  for (const database of databases) {
    expect(await database.selectFrom('note').selectAll().execute()).toEqual([]);
    await database.destroy();
  }
});

test('a statement of a running service may not exceed the statement timeout', async () => {
  const database = await open({ '001_note': slow });
  await expect(sql`select pg_sleep(${LONG_S})`.execute(database)).rejects.toThrow(/statement timeout/);
  await database.destroy();
});

test('a failed migration is named and rolled back', async () => {
  const broken: Migration = {
    async up(db) {
      await db.schema.createTable('half').addColumn('text', 'text').execute();
      await sql`select nonsense`.execute(db);
    },
  };
  const start = open({ '001_note': slow, '002_broken': broken });
  await expect(start).rejects.toThrow(/^migration 002_broken of schema slow_start failed: .*nonsense/);
  const database = await open({ '001_note': slow });
  const { rows } = await sql`select to_regclass('slow_start.half') as half`.execute(database);
  expect(rows).toEqual([{ half: null }]);
  await database.destroy();
});

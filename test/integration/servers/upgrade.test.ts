import { Kysely, PostgresDialect, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CLICKHOUSE_SCHEMAS } from '#clickhouse/schemas.ts';
import { prepareDatabase } from '#postgres/prepare-database.ts';
import { DATABASE_SERVICES } from '#postgres/roles.ts';
import { SCHEMAS } from '#postgres/schemas.ts';
import { connectClickHouse, type ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import { migrateClickHouse } from '#platform/clickhouse/migrate.ts';
import { lastingPool, openPostgres } from '#platform/postgres/open-postgres.ts';
import { PrivateServer, secretsBy } from '#support/servers/private-server.ts';
import { ownServers } from '#support/servers/servers.ts';

const servers = ownServers();
const PASSWORDS = secretsBy(DATABASE_SERVICES);

/** A migration that only the next version has. */
const NEXT = '900_of_the_next_version';
const NOTE: Migration = {
  up: (db) => db.schema.createTable('note').addColumn('text', 'text').execute(),
};
const OF_NEXT_VERSION = SCHEMAS.map(({ name, migrations }) => ({
  name,
  migrations: { ...migrations, [NEXT]: NOTE },
}));

let database: Kysely<unknown>;
beforeAll(() => {
  const pool = lastingPool({ connectionString: servers.databaseUrl, max: 1 });
  database = new Kysely({ dialect: new PostgresDialect({ pool }) });
});
afterAll(() => database?.destroy());

const applied = async (schema: string) => {
  const record = sql.table(`${schema}.kysely_migration`);
  const { rows } = await sql<{ name: string }>`select name from ${record} order by name`.execute(database);
  return rows.map(({ name }) => name);
};

describe('PostgreSQL', () => {
  test('several processes starting together upgrade the previous schema once, keeping its rows', async () => {
    await prepareDatabase(servers.databaseUrl, PASSWORDS);
    await sql`insert into keys.api_key (id, name, scopes, rate_limit_per_minute, created_at)
      values ('key_1', 'old', '{data:read}', 60, now())`.execute(database);
    await sql`insert into keys.key_secret (secret_hash, key_id, hint, created_at)
      values ('hash', 'key_1', 'sar_abc', now())`.execute(database);
    await sql`insert into consent.consent_record
        (consent_id, ts, api_key_id, end_user, document_id, document_version, request_id)
      values ('consent_1', now(), 'key_1', 'alice', 'fair_disclaimer', '1', 'req_1')`.execute(database);
    await sql`insert into models.run
        (job_id, event_id, api_key_id, end_user, channel, model_id, view, params, request_id, status, created_at)
      values ('job_1', 'ue_1', 'key_1', 'alice', 'api', 'confluence_filter', 'full', '{}', 'req_1', 'queued', now())`.execute(
      database,
    );

    const upgrades = Array.from({ length: 3 }, () =>
      prepareDatabase(servers.databaseUrl, PASSWORDS, OF_NEXT_VERSION),
    );
    await Promise.all(upgrades);
    for (const { name, migrations } of OF_NEXT_VERSION)
      expect(await applied(name)).toEqual(Object.keys(migrations));
    const { rows } = await sql`
      select (select secret_hash from keys.key_secret) as secret, (select consent_id from consent.consent_record) as consent,
        (select job_id from models.run) as job`.execute(database);
    expect(rows).toEqual([{ secret: 'hash', consent: 'consent_1', job: 'job_1' }]);
  });

  test('a schema that ran the migrations before they were squashed is upgraded, and keeps its rows', async () => {
    const squashed = ['001_api_key', '002_rotation_and_audit', '003_pepper_id', '004_audit_retention'];
    const earlier = [...squashed, '005_expiry_notices'];
    await sql`delete from keys.kysely_migration`.execute(database);
    for (const name of earlier)
      await sql`insert into keys.kysely_migration values (${name}, '2026-01-01')`.execute(database);
    const later = ['006_sessions', '007_secrets_of_sessions', NEXT];
    await sql`drop table keys.session, keys.note`.execute(database);
    await prepareDatabase(servers.databaseUrl, PASSWORDS, OF_NEXT_VERSION);
    expect(await applied('keys')).toEqual([...earlier, ...later]);
    const { rows } =
      await sql`select id, (select count(*)::int from keys.note) as notes from keys.api_key`.execute(
        database,
      );
    expect(rows).toEqual([{ id: 'key_1', notes: 0 }]);
  });

  test('a schema that a newer version has migrated is refused, by those who may migrate and those who may not', async () => {
    await sql`insert into keys.kysely_migration values ('999_of_tomorrow', '2030-01-01')`.execute(database);
    const ahead =
      /schema keys is ahead of this version of Saring, which does not know 999_of_tomorrow: start the newer/;
    await expect(prepareDatabase(servers.databaseUrl, PASSWORDS, OF_NEXT_VERSION)).rejects.toThrow(ahead);
    const url = new URL(servers.databaseUrl);
    [url.username, url.password] = ['saring_keys', PASSWORDS.keys];
    for (const role of [servers.databaseUrl, url.href]) {
      const { migrations } = OF_NEXT_VERSION.find(({ name }) => name === 'keys')!;
      const log = pino({ level: 'silent' });
      await expect(openPostgres({ url: role, schema: 'keys', migrations, log })).rejects.toThrow(ahead);
    }
  });
});

describe('ClickHouse', () => {
  let server: PrivateServer;
  let client: ClickHouseClient;
  beforeAll(async () => {
    server = await PrivateServer.clickhouse();
    client = connectClickHouse(server.url);
  });
  afterAll(async () => {
    await client?.close();
    await server?.remove();
  });

  test.each(CLICKHOUSE_SCHEMAS)(
    '$database with the previous schema is upgraded, and refused when it is ahead',
    async (schema) => {
      const { database: name } = schema;
      const note = `CREATE TABLE IF NOT EXISTS ${name}.note (text String) ENGINE = MergeTree ORDER BY text`;
      const migrations = [...schema.migrations, { name: NEXT, statements: [note] }];
      await migrateClickHouse(client, name, schema.migrations);
      await Promise.all([1, 2, 3].map(() => migrateClickHouse(client, name, migrations)));
      const query = `SELECT DISTINCT name FROM ${name}.schema_migration ORDER BY name`;
      const names = await (await client.query({ query, format: 'JSONEachRow' })).json<{ name: string }>();
      expect(names).toEqual(migrations.map((migration) => ({ name: migration.name })));

      await client.command({
        query: `INSERT INTO ${name}.schema_migration (name) VALUES ('999_of_tomorrow')`,
      });
      await expect(migrateClickHouse(client, name, migrations)).rejects.toThrow(
        `database ${name} is ahead of this version of Saring, which does not know 999_of_tomorrow`,
      );
    },
  );
});

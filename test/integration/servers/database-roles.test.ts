import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { prepareDatabase } from '#postgres/prepare-database.ts';
import { DATABASE_SERVICES, roleOf, type DatabaseService } from '#postgres/roles.ts';
import { SCHEMAS } from '#postgres/schemas.ts';
import { createLogger } from '#platform/operations/logger.ts';
import { openPostgres } from '#platform/postgres/open-postgres.ts';
import { secretsBy } from '#support/servers/private-server.ts';
import { ownServers } from '#support/servers/servers.ts';

const servers = ownServers();
const log = createLogger('test', 'silent');
const passwords = secretsBy(DATABASE_SERVICES);
const clients: Partial<Record<DatabaseService, pg.Client>> = {};
let admin: pg.Client;

function urlOf(service: DatabaseService): string {
  const url = new URL(servers.databaseUrl);
  [url.username, url.password] = [roleOf(service), passwords[service]];
  return url.href;
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  await client.connect();
  return client;
}

/** Opens the database as a service does when it starts. */
async function openAs(service: DatabaseService, url: string, more = {}): Promise<void> {
  const { name, migrations } = SCHEMAS.find((schema) => schema.name === service)!;
  const database = await openPostgres({
    url,
    schema: name,
    log,
    migrations: { ...migrations, ...more },
  });
  await database.destroy();
}

const RECORD = `insert into consent.consent_record (consent_id, ts, api_key_id, end_user, document_id, document_version,
  request_id) values ('c_1', now(), 'key_a', 'alice', 'fair_disclaimer', 'v1', 'req_1')`;
const KEY = `insert into keys.api_key (id, name, scopes, rate_limit_per_minute, created_at)
  values ('key_a', 'a', '{}', 1, now())`;
const ACTION = `insert into keys.key_action (ts, key_id, action, actor, request_id, changes)
  values (now(), 'key_a', 'created', 'tester', 'req_1', '{}')`;

beforeAll(async () => {
  admin = await connected(servers.databaseUrl);
  // The state from when all services shared one superuser.
  for (const service of DATABASE_SERVICES) await openAs(service, servers.databaseUrl);
  for (const row of [RECORD, KEY]) await admin.query(row);
  await prepareDatabase(servers.databaseUrl, passwords);
  for (const service of DATABASE_SERVICES) clients[service] = await connected(urlOf(service));
});
afterAll(async () => {
  for (const client of [admin, ...Object.values(clients)]) await client?.end();
});

test('a database of the shared superuser keeps its rows and is owned by a role without login', async () => {
  const { rows } = await clients.consent!.query('select consent_id from consent.consent_record');
  expect(rows).toEqual([{ consent_id: 'c_1' }]);
  const owners = await admin.query(
    `select distinct relowner::regrole::text as owner, rolcanlogin as may, rolsuper as super
       from pg_class join pg_namespace on pg_namespace.oid = relnamespace join pg_roles on pg_roles.oid = relowner
      where nspname = any($1)`,
    [DATABASE_SERVICES],
  );
  expect(owners.rows).toEqual([{ owner: 'saring_owner', may: false, super: false }]);
});

test('repeating the preparation changes nothing', async () => {
  await prepareDatabase(servers.databaseUrl, passwords);
  await clients.keys!.query('select from keys.api_key');
});

test.each(DATABASE_SERVICES)('%s starts as its own role without superuser rights', async (service) => {
  await openAs(service, urlOf(service));
  const { rows } = await clients[service]!.query(
    'select rolsuper, rolcreaterole, rolcreatedb, rolbypassrls from pg_roles where rolname = current_user',
  );
  expect(rows).toEqual([{ rolsuper: false, rolcreaterole: false, rolcreatedb: false, rolbypassrls: false }]);
});

test('a service that lacks a migration says which command to run', async () => {
  const start = openAs('keys', urlOf('keys'), { '999_later': { up: async () => {} } });
  await expect(start).rejects.toThrow(/^schema keys lacks 999_later, .*node deploy\/postgres\/migrate\.ts/);
});

test('a role that owns the schema migrates at the start', async () => {
  let ran = false;
  const up = async () => void (ran = true);
  await openAs('scheduler', servers.databaseUrl, { '999_later': { up } });
  expect(ran).toBe(true);
});

describe('a role is allowed', () => {
  test.each<[DatabaseService, string]>([
    ['keys', ACTION],
    ['keys', "update keys.api_key set name = 'b' where id = 'key_a'"],
    ['consent', RECORD.replace('c_1', 'c_2')],
    ['consent', 'delete from consent.idempotency'],
    ['models', 'delete from models.run'],
    ['scheduler', 'select from scheduler.firing for update'],
  ])('%s: %s', async (service, statement) => {
    await expect(clients[service]!.query(statement)).resolves.toBeDefined();
  });
});

describe('a role is refused', () => {
  const others = DATABASE_SERVICES.flatMap((service) =>
    DATABASE_SERVICES.filter((other) => other !== service).map((other) => [service, other] as const),
  );
  const tableOf = (service: string) => SCHEMAS.find(({ name }) => name === service)!.tables[0]!;
  const APPEND_ONLY = { consent: 'consent.consent_record', keys: 'keys.key_action' };
  test.each<[DatabaseService, string]>([
    ...others.flatMap(([service, other]): [DatabaseService, string][] => [
      [service, `select from ${other}.${tableOf(other)}`],
      [service, `delete from ${other}.${tableOf(other)}`],
    ]),
    ...(['consent', 'keys'] as const).flatMap((service): [DatabaseService, string][] => {
      const guarded = APPEND_ONLY[service];
      const name = guarded.split('.')[1]!;
      return [
        [service, `delete from ${guarded}`],
        [service, `update ${guarded} set request_id = 'x'`],
        [service, `truncate ${guarded}`],
        [service, `drop table ${guarded}`],
        [service, `drop trigger ${name}_append_only on ${guarded}`],
        [service, `alter table ${guarded} disable trigger all`],
        [service, `alter table ${guarded} disable trigger ${name}_append_only`],
        [service, `create or replace function ${service}.${name}_refuse_change() returns trigger language plpgsql as 'begin return null; end'`], // prettier-ignore
        [service, `create rule harmless as on insert to ${guarded} do instead nothing`],
        [service, `drop schema ${service} cascade`],
        [service, `set session_replication_role = replica`],
        [service, `set role saring_owner`],
        [service, `delete from ${service}.kysely_migration`],
        [service, `create table ${service}.mine (id int)`],
        [service, `create schema mine`],
        [service, `create role mine`],
      ];
    }),
  ])('%s: %s', async (service, statement) => {
    await expect(clients[service]!.query(statement)).rejects.toThrow(/permission denied|must be owner/);
  });
});

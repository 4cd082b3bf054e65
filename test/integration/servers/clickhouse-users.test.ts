import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  CLICKHOUSE_SERVICES,
  PERMISSIONS,
  userStatements,
  type ClickhouseService,
} from '#clickhouse/service-users.ts';
import { migrations as marketMigrations } from '#services/market-data/store/migrations/index.ts';
import { migrations as usageMigrations } from '#services/usage/store/migrations/index.ts';
import { connectClickHouse, type ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import { migrateClickHouse } from '#platform/clickhouse/migrate.ts';
import { PrivateServer } from '#support/servers/private-server.ts';
import { insertUsage, usageEvent } from '#support/usage/usage-events.ts';
import { clickhouseRows } from '#platform/clickhouse/rows.ts';

const DENIED = 'ACCESS_DENIED';

let server: PrivateServer;
let admin: ClickHouseClient;
const clients = {} as Record<ClickhouseService, ClickHouseClient>;

beforeAll(async () => {
  server = await PrivateServer.clickhouse();
  admin = connectClickHouse(server.url);
  for (const service of CLICKHOUSE_SERVICES) clients[service] = connectClickHouse(server.urlOf(service));
  await migrateClickHouse(clients.usage, 'usage', usageMigrations);
  await migrateClickHouse(clients['market-data'], 'market', marketMigrations);
  await insertUsage(clients.usage, [usageEvent()]);
});
afterAll(async () => {
  for (const client of [admin, ...Object.values(clients)]) await client?.close();
  await server?.remove();
});

/** ClickHouse's code for the refusal; empty if the query succeeded. */
async function refusal(client: ClickHouseClient, query: string): Promise<string> {
  try {
    await client.command({ query });
    return '';
  } catch (error) {
    return (error as { type?: string }).type ?? (error as Error).message;
  }
}

describe('a service is allowed', () => {
  test.each<[ClickhouseService, string]>([
    ['usage', `DELETE FROM usage.event WHERE event_id = 'none'`],
    ['usage', `ALTER TABLE usage.event DROP PARTITION ID '200001'`],
    ['usage', 'ALTER TABLE usage.event MODIFY TTL ts + toIntervalDay(1000)'],
    ['usage', 'ALTER TABLE usage.event REMOVE TTL'],
    ['usage', 'SELECT uptime()'],
    ['market-data', 'CREATE OR REPLACE TABLE market.import_1 (a UInt8) ENGINE = Memory'],
    ['market-data', `INSERT INTO market.import_1 SELECT a FROM input('a UInt8') FORMAT TSV 1`],
    ['market-data', 'TRUNCATE TABLE market.import_1'],
    ['market-data', 'DROP TABLE market.import_1 SYNC'],
    ['market-data', `ALTER TABLE market.daily_bar DROP PARTITION 'none'`],
    ['market-data', `DELETE FROM market.dataset WHERE version = 'none'`],
    [
      'market-data',
      `KILL QUERY WHERE user = currentUser() AND startsWith(query, 'INSERT INTO market.') SYNC`,
    ],
    ['model-worker', 'SELECT * FROM market.dataset, market.daily_bar, market.listing, market.broker'],
    ['model-worker', 'SELECT * FROM market.broker_flow'],
    ['model-worker', 'SELECT version FROM market.served ORDER BY served_at DESC LIMIT 1'],
  ])('%s: %s', async (service, query) => {
    expect(await refusal(clients[service], query)).toBe('');
  });
});

/** Changes of a table that only one service may make. */
const changesOf = (table: string) => [
  `INSERT INTO ${table} SELECT * FROM ${table}`,
  `DELETE FROM ${table} WHERE 1`,
  `ALTER TABLE ${table} DELETE WHERE 1`,
  `ALTER TABLE ${table} DROP PARTITION ID 'all'`,
  `ALTER TABLE ${table} MODIFY COMMENT 'mine'`,
  `ALTER TABLE ${table} FREEZE`,
  `TRUNCATE TABLE ${table}`,
  `DROP TABLE ${table}`,
  `RENAME TABLE ${table} TO ${table}_mine`,
  `OPTIMIZE TABLE ${table}`,
  `SYSTEM STOP MERGES ${table}`,
];

describe('a service is refused', () => {
  const everything = ['usage.event', 'market.dataset', 'market.served', 'market.daily_bar'];
  const own: Record<ClickhouseService, string> = {
    usage: 'usage.',
    'market-data': 'market.',
    'model-worker': 'none',
  };
  test.each(CLICKHOUSE_SERVICES)('%s: every change of foreign tables', async (service) => {
    const foreign = everything.filter((table) => !table.startsWith(own[service]));
    expect(foreign.length).toBeGreaterThan(0);
    for (const query of foreign.flatMap(changesOf))
      expect(await refusal(clients[service], query), query).toBe(DENIED);
  });

  test.each<[ClickhouseService, string[]]>([
    ['usage', ['market.dataset', 'market.served', 'market.schema_migration']],
    ['market-data', ['usage.event', 'usage.run_v2', 'usage.schema_migration']],
    [
      'model-worker',
      [
        'usage.event',
        'usage.run_v2',
        'usage.end_users_v1',
        'usage.schema_migration',
        'market.served',
        'market.rejected_row',
        'market.rejection',
        'market.schema_migration',
      ],
    ],
  ])('%s: reading %j', async (service, tables) => {
    for (const table of tables)
      expect(await refusal(clients[service], `SELECT * FROM ${table}`), table).toBe(DENIED);
  });

  test.each(CLICKHOUSE_SERVICES)('%s: server-wide objects', async (service) => {
    const queries = [
      'SELECT * FROM system.users',
      'SELECT * FROM system.grants',
      'CREATE DATABASE mine',
      'CREATE USER mine NOT IDENTIFIED',
      `GRANT ALL ON *.* TO \`${service}\``,
      'CREATE FUNCTION mine AS (a) -> a',
      'SYSTEM FLUSH LOGS',
      'SYSTEM SHUTDOWN',
      'SYSTEM STOP LISTEN HTTP',
      'DROP DATABASE usage',
      'DROP DATABASE market',
      `SELECT * FROM url('http://127.0.0.1:1/', TSV, 'a UInt8')`,
      `SELECT * FROM remote('127.0.0.1:1', usage.event)`,
    ];
    for (const query of queries) expect(await refusal(clients[service], query), query).toBe(DENIED);
  });

  test('nobody can drop the ledger, not even its own service', async () => {
    for (const query of ['DROP TABLE usage.event', 'TRUNCATE TABLE usage.event', 'DROP VIEW usage.run_v2'])
      expect(await refusal(clients.usage, query)).toBe(DENIED);
  });

  test('market-data can end only its own queries', async () => {
    const query = 'SELECT sum(sleepEachRow(1)) AS slept FROM numbers(3)';
    const running = clickhouseRows(clients.usage, query);
    const looking = `SELECT user FROM system.processes WHERE startsWith(query, 'SELECT sum(sleepEachRow')`;
    await expect.poll(() => clickhouseRows(admin, looking)).toEqual([{ user: 'usage' }]);
    const kill = `KILL QUERY WHERE startsWith(query, 'SELECT sum(sleepEachRow') SYNC`;
    expect(await refusal(clients['market-data'], kill)).toBe(DENIED);
    expect(await running).toEqual([{ slept: 0 }]);
  });

  test('system tables show a service only its own tables', async () => {
    for (const [service, database] of [
      ['usage', 'usage'],
      ['market-data', 'market'],
    ] as const) {
      const query = (table: string) =>
        `SELECT DISTINCT database FROM system.${table} WHERE lower(database) NOT IN ('system', 'information_schema')`;
      for (const table of ['tables', 'parts'])
        expect(await clickhouseRows(clients[service], query(table))).toEqual([{ database }]);
    }
  });
});

describe('readers leave room for inserts', () => {
  test.each(CLICKHOUSE_SERVICES)('%s cannot disable its bound on concurrent queries', async (service) => {
    const lifted = 'SELECT 1 SETTINGS max_concurrent_queries_for_user = 0';
    expect(await refusal(clients[service], lifted)).toBe('SETTING_CONSTRAINT_VIOLATION');
  });

  test('a flood of worker queries is refused beyond its bound, while usage continues to insert', async () => {
    const { maxQueries } = PERMISSIONS['model-worker'];
    const running = async () =>
      (await clickhouseRows(admin, `SELECT 1 FROM system.processes WHERE user = 'model-worker'`)).length;
    const ending = new AbortController();
    let refused = 0;
    const flood = Array.from({ length: 2 * maxQueries }, async () => {
      const response = await askForEver('model-worker', ending.signal);
      if (response.includes('TOO_MANY_SIMULTANEOUS_QUERIES')) refused++;
    });
    await expect.poll(running).toBe(maxQueries);
    await expect.poll(() => refused).toBe(maxQueries);
    for (const event of Array.from({ length: 5 }, () => usageEvent()))
      await insertUsage(clients.usage, [event]);
    expect(await running()).toBe(maxQueries);
    ending.abort();
    await Promise.all(flood);
    expect(refused).toBe(maxQueries);
  });

  /** Queries without the client, which has its own limit. On abort it ends without a response. */
  async function askForEver(service: ClickhouseService, signal: AbortSignal): Promise<string> {
    const { origin, username, password } = new URL(server.urlOf(service));
    const query = encodeURIComponent('SELECT sum(sipHash64(number)) FROM numbers(1000000000000)');
    const url = `${origin}/?query=${query}&cancel_http_readonly_queries_on_client_close=1`;
    const headers = { 'x-clickhouse-user': username, 'x-clickhouse-key': password };
    const answering = fetch(url, { headers, signal }).then((response) => response.text());
    return answering.catch(() => '');
  }
});

test.each(CLICKHOUSE_SERVICES)(
  'the statements that create %s on an external server are valid',
  async (service) => {
    for (const statement of userStatements(service)) {
      const query_params = { [`${service.replace('-', '_')}_password`]: 'any' };
      await admin.command({ query: `EXPLAIN AST ${statement}`, query_params });
    }
  },
);

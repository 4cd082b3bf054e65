import { describe, expect, test } from 'vitest';
import { testLedger } from '#support/services/test-ledger.ts';

const own = testLedger();

/** The settings that each tool sends with its queries, and the queries with which it lists databases, tables and columns. */
const TOOLS: Record<string, { sends: Record<string, string>; asks: string[] }> = {
  'JDBC driver': {
    sends: {
      compress: '0',
      session_timezone: 'Asia/Jakarta',
      max_result_rows: '200',
      result_overflow_mode: 'break',
    },
    asks: [
      'SELECT user() AS user, version() AS version, timezone() AS timezone FORMAT JSON',
      'SELECT name FROM system.databases ORDER BY name',
      `SELECT database, name, engine FROM system.tables WHERE database = 'usage'`,
      `SELECT name, type, position FROM system.columns WHERE database = 'usage' AND table = 'run_v2'`,
    ],
  },
  DBeaver: {
    sends: {
      max_result_rows: '200',
      result_overflow_mode: 'break',
      session_timezone: 'UTC',
      wait_end_of_query: '1',
    },
    asks: [
      'SHOW DATABASES',
      'SHOW TABLES FROM usage',
      'SELECT table_name, table_type FROM information_schema.tables',
      `SELECT column_name, data_type FROM information_schema.columns WHERE table_name = 'run_v2'`,
      'SELECT * FROM INFORMATION_SCHEMA.KEY_COLUMN_USAGE',
    ],
  },
  Metabase: {
    sends: { session_timezone: 'Asia/Jakarta', max_result_rows: '2000', result_overflow_mode: 'break' },
    asks: ['SELECT 1', `SELECT * FROM information_schema.schemata`, 'DESCRIBE TABLE usage.run_v2'],
  },
  Grafana: {
    sends: {
      add_http_cors_header: '1',
      max_execution_time: '30',
      enable_http_compression: '1',
      session_timezone: 'UTC',
    },
    asks: ['SHOW DATABASES', 'SHOW TABLES FROM market', 'DESC TABLE usage.runs_per_day_v1'],
  },
};

describe.each(Object.entries(TOOLS))('%s', (_, { sends, asks }) => {
  test.each([...asks, 'SELECT model_id, count() FROM usage.run_v2 GROUP BY model_id'])(
    'may run %s',
    async (query) => {
      expect(await own.refusal(query, sends)).toBe('');
    },
  );
});

test('the catalogue shows exactly what the analyst may read', async () => {
  const tables = await own.rows<{ name: string }>(
    `SELECT concat(table_schema, '.', table_name) AS name FROM information_schema.tables
     WHERE table_schema IN ('usage', 'market')`,
  );
  const names = tables.map(({ name }) => name);
  expect(names).toContain('usage.run_v2');
  expect(names).not.toContain('usage.event');
  expect(names).not.toContain('usage.schema_migration');
  expect(await own.rows(`SELECT DISTINCT \`table\` FROM system.parts WHERE database = 'usage'`)).toEqual([]);
  const columns = await own.rows<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns WHERE table_schema = 'market' AND table_name = 'served'`,
  );
  expect(columns.map(({ name }) => name).toSorted()).toEqual(['action', 'served_at', 'version']);
});

test('a tool that asks for the first rows gets them within the row limit', async () => {
  const cut = await own.ask('SELECT number FROM numbers(5000000) FORMAT TSV', {
    result_overflow_mode: 'break',
  });
  expect(cut.ok).toBe(true);
  expect(cut.text.split('\n').length).toBeLessThan(1_100_000);
});

test('times are shown in the time zone requested by the tool', async () => {
  const query = `SELECT formatDateTime(toDateTime('2026-11-20 20:00:00', 'UTC'), '%H', timezone()) FORMAT TSV`;
  expect(await own.ask(query, { session_timezone: 'Asia/Jakarta' })).toEqual({ ok: true, text: '03' });
});

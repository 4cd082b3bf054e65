import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { blocksOfChapter } from '#support/documents/code-blocks.ts';
import { testLedger } from '#support/services/test-ledger.ts';
import { fillKnownLedger } from '#support/usage/known-ledger.ts';

const PAGE = 'docs/analysis-tools.md';
const own = testLedger();
beforeAll(() => fillKnownLedger(own.sql));

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

/** The rows that a tool gets for a question of the page. */
async function rowsFor(tool: string, question: string): Promise<unknown[][]> {
  const { ok, text } = await own.ask(question, {
    ...TOOLS[tool]!.sends,
    default_format: 'JSONCompactEachRow',
    output_format_json_quote_64bit_integers: '0',
  });
  expect(text, question).toMatch(/^\[/);
  expect(ok).toBe(true);
  return text.split('\n').map((line) => JSON.parse(line) as unknown[]);
}

describe('the page about tools', () => {
  /** With the values of the variables, and an optional part only where it has one. */
  const asMetabase = (sql: string, values: Record<string, string>) =>
    sql
      .replace(/\[\[(.*?)\]\]/g, (_, part: string) =>
        Object.keys(values).some((name) => part.includes(`{{${name}}}`)) ? part : '',
      )
      .replace(/\{\{(\w+)\}\}/g, (_, name: string) => `'${values[name]}'`);

  test('has SQL for Metabase that counts runs and picks', async () => {
    const [runs, picks] = (await blocksOfChapter(PAGE, 'Metabase', 'sql')) as [string, string];
    const since = '2025-03-10';
    expect(await rowsFor('Metabase', asMetabase(runs, { since, model: 'recovery_v4' }))).toEqual([
      ['2025-03-10', 'recovery_v4', 2, 1],
    ]);
    expect(await rowsFor('Metabase', asMetabase(runs, { since }))).toEqual([
      ['2025-03-10', 'confluence_filter', 1, 0],
      ['2025-03-10', 'recovery_v4', 2, 1],
      ['2025-03-11', 'confluence_filter', 1, 0],
      ['2025-03-17', 'confluence_filter', 1, 0],
      ['2025-03-18', 'confluence_filter', 1, 1],
    ]);
    expect(await rowsFor('Metabase', asMetabase(picks, { since }))).toEqual([
      ['real', 'ADRO', 1, 1],
      ['', 'BBCA', 1, 0],
      ['synthetic', 'TLKM', 1, 1],
    ]);
  });

  test('has SQL for Grafana that follows the range and the interval of a panel', async () => {
    const seconds = (day: string) => Date.parse(`${day}T00:00:00Z`) / 1_000;
    const [from, to] = ['2025-03-10', '2025-03-12'];
    const asGrafana = (sql: string) =>
      sql
        .replace(/\$__timeInterval\((\w+)\)/g, 'toStartOfInterval(toDateTime($1), INTERVAL 86400 second)')
        .replace(
          /\$__timeFilter\((\w+)\)/g,
          `$1 >= toDateTime(${seconds(from)}) AND $1 <= toDateTime(${seconds(to)})`,
        )
        .replace(/\$__dateFilter\((\w+)\)/g, `$1 >= toDate('${from}') AND $1 <= toDate('${to}')`);
    const [runs, durations, failures] = (await blocksOfChapter(PAGE, 'Grafana', 'sql')).map(asGrafana);
    const tenth = '2025-03-10 00:00:00';
    const eleventh = '2025-03-11 00:00:00';
    expect(await rowsFor('Grafana', runs!)).toEqual([
      [tenth, 'confluence_filter', 1],
      [tenth, 'recovery_v4', 2],
      [eleventh, 'confluence_filter', 1],
    ]);
    expect(await rowsFor('Grafana', durations!)).toEqual([
      [tenth, 'confluence_filter', 6],
      [tenth, 'recovery_v4', 4.8],
      [eleventh, 'confluence_filter', 2.5],
    ]);
    expect(await rowsFor('Grafana', failures!)).toEqual([
      [tenth, expect.closeTo(100 / 3)],
      [eleventh, 0],
    ]);
  });

  test('has a data source for Grafana with fields that its plugin knows', async () => {
    const [yaml] = await blocksOfChapter(PAGE, 'Grafana', 'yaml');
    expect(parse(yaml!)).toEqual({
      apiVersion: 1,
      datasources: [
        {
          name: 'Saring ledger',
          type: 'grafana-clickhouse-datasource',
          jsonData: {
            ...{ host: '127.0.0.1', port: 8123, protocol: 'http', secure: false },
            ...{ username: 'analyst', defaultDatabase: 'usage', queryTimeout: 30 },
          },
          secureJsonData: { password: '$ANALYST_PASSWORD' },
        },
      ],
    });
  });
});

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  FIXED_SETTINGS,
  FREE_SETTINGS,
  QUERY_LIMITS,
  QUOTA_INTERVALS,
  READS,
} from '#local/servers/analyst-limits.ts';
import { testLedger } from '#support/services/test-ledger.ts';
import { insertUsage, usageEvent } from '#support/usage/usage-events.ts';

const own = testLedger();
const LIMITS = Object.entries(QUERY_LIMITS);
/** A query that computes for minutes over few rows. */
const ENDLESS = 'SELECT sum(sipHash64(number, a)) FROM numbers(190000000) ARRAY JOIN range(100) AS a';
const refusal: typeof own.refusal = (query, more) => own.refusal(query, more);

describe('limits', () => {
  test.each(LIMITS)('%s is %d and can be lowered but never raised', async (name, most) => {
    const [row] = await own.rows<{ value: string; max: string }>(
      `SELECT value, max FROM system.settings WHERE name = '${name}'`,
    );
    expect(row).toEqual({ value: String(most), max: String(most) });
    // Selecting one row reads less than selecting from system.settings.
    expect(await refusal(`SELECT 1 SETTINGS ${name} = ${Math.max(1, most - 1)}`)).toBe('');
    expect(await refusal(`SELECT 1 SETTINGS ${name} = ${most + 1}`)).toBe('SETTING_CONSTRAINT_VIOLATION');
    expect(await refusal('SELECT 1', { [name]: String(most + 1) })).toBe('SETTING_CONSTRAINT_VIOLATION');
    expect(await refusal(`SET ${name} = ${most + 1}`)).toBe('SETTING_CONSTRAINT_VIOLATION');
  });

  test.each(LIMITS.filter(([name]) => name !== 'max_threads'))('%s cannot be disabled', async (name) => {
    expect(await refusal(`SELECT 1 SETTINGS ${name} = 0`)).toBe('SETTING_CONSTRAINT_VIOLATION');
  });

  test('only output settings can be changed besides the limits', async () => {
    const changeable = await own.rows<{ name: string }>(
      'SELECT name FROM system.settings WHERE NOT readonly ORDER BY name',
    );
    const wanted = [...Object.keys(QUERY_LIMITS), ...FREE_SETTINGS].sort();
    expect(changeable.map(({ name }) => name)).toEqual(wanted);
    for (const [name, value] of Object.entries({ ...FIXED_SETTINGS, readonly: 1, join_use_nulls: 0 })) {
      // A switch accepts only 0 and 1.
      const other = value === 1 ? 0 : value + 1;
      expect(await refusal(`SELECT 1 SETTINGS ${name} = ${other}`), name).toBe('READONLY');
    }
    const fixed = Object.entries(FIXED_SETTINGS).map(([name, value]) => ({ name, value: String(value) }));
    expect(
      await own.rows(`SELECT name, value FROM system.settings WHERE name IN
        (${fixed.map(({ name }) => `'${name}'`).join()}) ORDER BY name`),
    ).toEqual(fixed.toSorted((a, b) => (a.name < b.name ? -1 : 1)));
  });

  // ClickHouse lets a subquery set any setting. Limits on a query as a whole must ignore that.
  const UNBOUND = `SETTINGS readonly = 0, ${LIMITS.map(([name]) => `${name} = 0`).join(', ')}`;
  const within = (query: string) => `SELECT * FROM (${query} ${UNBOUND})`;

  test.each<[string, string, string, Record<string, string>]>([
    [
      'memory',
      `SELECT groupArray(repeat('a', 1000) || toString(number)) FROM numbers(100000)`,
      'MEMORY_LIMIT_EXCEEDED',
      { max_memory_usage: '50000000' },
    ],
    ['rows of the result', 'SELECT number FROM numbers(1000001)', 'TOO_MANY_ROWS_OR_BYTES', {}],
    ['rows that are read', 'SELECT sum(number) FROM numbers(200000001)', 'TOO_MANY_ROWS', {}],
    ['time', ENDLESS, 'TIMEOUT_EXCEEDED', { max_execution_time: '1' }],
  ])('%s cannot exceed its bound, not even in a subquery that lifts the limit', async (...row) => {
    const [, query, code, chosen] = row;
    expect(await refusal(query, chosen)).toBe(code);
    expect(await refusal(within(query), chosen)).toBe(code);
  });

  test('rows read by the views count for the analyst, although the views read with other rights', async () => {
    const count = 'SELECT count() FROM usage.run_v2 WHERE duration_seconds >= 0';
    const read = async () =>
      (
        await own.rows<{ read_rows: number }>('SELECT max(read_rows) AS read_rows FROM system.quota_usage')
      )[0]!.read_rows;
    await insertUsage(
      own.sql,
      Array.from({ length: 1_000 }, () => usageEvent()),
    );
    expect(await refusal(count, { max_rows_to_read: '500' })).toBe('TOO_MANY_ROWS');
    const before = await read();
    await own.rows(count);
    expect(await read()).toBeGreaterThanOrEqual(before + 1_000);
  });

  test('a fifth concurrent query is refused', async () => {
    const most = FIXED_SETTINGS.max_concurrent_queries_for_user;
    const long = Array.from({ length: most }, () => refusal(ENDLESS));
    const running = async () => {
      const query = `SELECT toUInt32(count()) FROM system.processes WHERE user = 'analyst'`;
      return (await (await own.sql.query({ query, format: 'TabSeparated' })).text()).trim();
    };
    await expect.poll(running).toBe(String(most));
    expect(await refusal('SELECT 1')).toBe('TOO_MANY_SIMULTANEOUS_QUERIES');
    await own.sql.command({ query: `KILL QUERY WHERE user = 'analyst' ASYNC` });
    expect(await Promise.all(long)).toEqual(Array(most).fill('QUERY_WAS_CANCELLED'));
  });

  test('the quota bounds every interval under any quota key, and reports when it is used up', async () => {
    const most = await own.rows<Record<string, number>>(
      `SELECT duration AS seconds, max_queries AS queries, max_read_rows AS read_rows,
        max_result_rows AS result_rows, max_execution_time AS execution_time
       FROM system.quota_usage ORDER BY seconds`,
    );
    expect(most).toEqual(QUOTA_INTERVALS);
    const [minute] = QUOTA_INTERVALS;
    const query = `SELECT number FROM numbers(${QUERY_LIMITS.max_result_rows}) FORMAT Null`;
    // The minute of the quota may end meanwhile and reset the count, but not twice.
    const needed = 2 * (minute.result_rows / QUERY_LIMITS.max_result_rows) + 2;
    const responses: string[] = [];
    while (responses.length < needed && responses.at(-1) !== 'QUOTA_EXCEEDED')
      responses.push(await refusal(query, { quota_key: `mine-${responses.length}` }));
    expect(responses.at(-1)).toBe('QUOTA_EXCEEDED');
  });
});

describe('deploy/clickhouse/analyst.sql', () => {
  const file = path.resolve(import.meta.dirname, '../../../deploy/clickhouse/analyst.sql');
  const statements = readFileSync(file, 'utf8')
    .replaceAll(/^\s*--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
  const statement = (beginning: string) => statements.find((text) => text.startsWith(beginning))!;

  test('is valid SQL, statement by statement', async () => {
    for (const text of statements) {
      await own.sql.command({ query: `EXPLAIN AST ${text}`, query_params: { analyst_password: 'any' } });
    }
  });

  test('sets the same settings as the embedded server', () => {
    const [, settings] = statement('ALTER SETTINGS PROFILE').split('SETTINGS\n');
    const wanted = [
      'readonly = 1 READONLY',
      ...LIMITS.map(([name, most]) => `${name} = ${most} MIN 1 MAX ${most} CHANGEABLE_IN_READONLY`),
      ...Object.entries(FIXED_SETTINGS).map(([name, value]) => `${name} = ${value}`),
      ...FREE_SETTINGS.map((name) => `${name} CHANGEABLE_IN_READONLY`),
    ];
    expect(settings!.split(',').map((line) => line.trim())).toEqual(wanted);
  });

  test('sets the same quota as the embedded server', () => {
    const wanted = QUOTA_INTERVALS.map(({ seconds, ...most }) => {
      const bounds = Object.entries(most).map(([name, value]) => `${name} = ${value}`);
      return `FOR INTERVAL ${seconds} second MAX ${bounds.join(', ')}`;
    });
    const quota = statement('ALTER QUOTA').replaceAll(/\s+/g, ' ');
    expect(quota).toBe(`ALTER QUOTA saring_analyst ${wanted.join(', ')}`);
  });

  test('grants the same reads as the embedded server, and nothing else', () => {
    expect(statements.filter((text) => text.startsWith('GRANT'))).toEqual([
      ...READS.map((grant) => `GRANT ${grant} TO saring_analyst`),
      'GRANT saring_analyst TO analyst',
    ]);
  });
});

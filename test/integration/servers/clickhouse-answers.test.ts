import { afterAll, beforeAll, expect, test } from 'vitest';
import { selectLines, type Databases } from '#backup/clickhouse-tables.ts';
import { readArrow } from '#platform/clickhouse/clickhouse-arrow.ts';
import { connectClickHouse, isClickHouseUnavailable } from '#platform/clickhouse/clickhouse.ts';
import { PrivateServer } from '#support/servers/private-server.ts';
import { TcpProxy } from '#support/servers/tcp-proxy.ts';

let server: PrivateServer;
let proxy: TcpProxy;
beforeAll(async () => {
  server = await PrivateServer.clickhouse();
  proxy = await TcpProxy.start(server.url);
});
afterAll(async () => {
  proxy?.stop();
  await server?.remove();
});

const SILENCE_MS = 1_000;

test.for([
  { when: 'before an answer', batches: 0 },
  { when: 'amid an answer', batches: 1 },
])('a connection that falls silent $when ends the read as ClickHouse unavailable', async ({ batches }) => {
  const client = connectClickHouse(proxy.url, SILENCE_MS);
  const sql = 'SELECT number, sipHash64(number) AS hash FROM numbers(50000000)';
  const reading = async () => {
    let read = 0;
    if (batches === 0) proxy.hold();
    for await (const _ of readArrow(client, sql, {})) if (++read === batches) proxy.silence();
  };
  const error = await reading().catch((caught: unknown) => caught);
  proxy.mend();
  expect(isClickHouseUnavailable(error)).toBe(true);
  await client.close();
});

/** Rows that come at once, and then one block a second. */
const SLOW = `SELECT number, 0 AS slept FROM numbers(1000000)
  UNION ALL SELECT number, sleepEachRow(0.001) FROM numbers(1000000)
  SETTINGS max_threads = 1, max_block_size = 1000`;
const THROWING = `SELECT throwIf(number = 80000) FROM numbers(200000)
  SETTINGS max_threads = 1, max_block_size = 1000`;

/** The rows that came before an answer in Arrow failed, and how. */
async function failureOf(sql: string, onBatch: () => void = () => {}) {
  const client = connectClickHouse(server.url);
  let rows = 0;
  try {
    for await (const batch of readArrow(client, sql, {})) {
      rows += batch.numRows;
      onBatch();
    }
  } catch (error) {
    return { rows, error };
  } finally {
    await client.close();
  }
  throw new Error(`all ${rows} rows came`);
}

test('a query that times out amid an answer fails with the error of the server, which may pass', async () => {
  const { error } = await failureOf(`${SLOW}, max_execution_time = 2`);
  expect(error).toMatchObject({ type: 'TIMEOUT_EXCEEDED' });
  expect(isClickHouseUnavailable(error)).toBe(true);
});

test('a query that is killed amid an answer fails with the error of the server, which may pass', async () => {
  const killer = connectClickHouse(server.url);
  let kill: Promise<unknown> | undefined;
  const { error } = await failureOf(SLOW, () => {
    kill ??= killer.command({ query: `KILL QUERY WHERE query LIKE 'SELECT number, 0 AS slept%' ASYNC` });
  });
  await kill;
  await killer.close();
  expect(error).toMatchObject({ type: 'QUERY_WAS_CANCELLED' });
  expect(isClickHouseUnavailable(error)).toBe(true);
});

test('a query that fails for good amid an answer fails with the error of the server, which does not pass', async () => {
  const { rows, error } = await failureOf(THROWING);
  expect(rows).toBeGreaterThan(0);
  expect(error).toMatchObject({ type: 'FUNCTION_THROW_IF_VALUE_IS_NON_ZERO' });
  expect(isClickHouseUnavailable(error)).toBe(false);
});

test('lines of a backup end with the error of the server when their query fails amid them', async () => {
  const client = connectClickHouse(server.url);
  await client.command({
    query: 'CREATE TABLE default.line ENGINE = Memory AS SELECT * FROM numbers(1000000)',
  });
  const table = { database: 'default' as 'market', table: 'line', columns: ['number'] };
  const databases = { default: client } as unknown as Databases;
  const where = `throwIf(number = 900000) = 0 SETTINGS max_threads = 1`;
  const lines = await selectLines(databases, table, { where, params: {} });
  await expect(lines.toArray()).rejects.toMatchObject({ type: 'FUNCTION_THROW_IF_VALUE_IS_NON_ZERO' });
  await client.close();
});

test.each(['JSONEachRow', 'TabSeparated', 'CSVWithNames'] as const)(
  'an answer in %s begins when its query has succeeded',
  async (format) => {
    const client = connectClickHouse(server.url);
    await expect(client.query({ query: THROWING, format })).rejects.toMatchObject({
      type: 'FUNCTION_THROW_IF_VALUE_IS_NON_ZERO',
    });
    await client.close();
  },
);

import { truncateSync } from 'node:fs';
import path from 'node:path';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { beforeAll, expect, test } from 'vitest';
import { migrations } from '#services/usage/store/migrations/index.ts';
import { watchBrokenParts } from '#platform/clickhouse/broken-parts.ts';
import { migrateClickHouse } from '#platform/clickhouse/migrate.ts';
import { ownClickHouse } from '#support/servers/own-clickhouse.ts';
import { insertUsage, usageEvent } from '#support/usage/usage-events.ts';
import { clickhouseRows } from '#platform/clickhouse/rows.ts';

const own = ownClickHouse();
beforeAll(() => migrateClickHouse(own.client, 'usage', migrations));

const select = <Row>(query: string) => clickhouseRows<Row>(own.client, query);

test('every table with acknowledged rows is synced on inserts and merges', async () => {
  const tables = await select<{ name: string; engine_full: string }>(
    `SELECT concat(database, '.', name) AS name, engine_full FROM system.tables
     WHERE database IN ('usage', 'market') AND engine LIKE '%MergeTree'`,
  );
  expect(tables.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['usage.event', 'market.dataset', 'market.daily_bar', 'market.broker_flow']),
  );
  const settings = [
    'fsync_after_insert = 1',
    'fsync_part_directory = 1',
    'min_rows_to_fsync_after_merge = 1',
    'min_compressed_bytes_to_fsync_after_merge = 1',
  ];
  const unsynced = tables.filter(({ engine_full }) =>
    settings.some((setting) => !engine_full.includes(setting)),
  );
  expect(unsynced.map(({ name, engine_full }) => `${name}: ${engine_full}`)).toEqual([]);
});

/** Truncates the data of every part of a table, as a power cut does to rows that were never synced. */
async function breakParts(table: string): Promise<number> {
  const parts = await select<{ path: string }>(
    `SELECT path FROM system.parts WHERE active AND concat(database, '.', table) = '${table}'`,
  );
  await own.server.kill9();
  for (const part of parts) truncateSync(path.join(part.path, 'data.bin'));
  return parts.length;
}

test('the server starts with any number of broken parts, and logs their table and count once', async () => {
  await insertUsage(own.client, [usageEvent()]);
  await own.client.command({
    query: `CREATE TABLE usage.scratch (n UInt32) ENGINE = MergeTree PARTITION BY n ORDER BY n`,
  });
  await own.client.command({
    query: 'INSERT INTO usage.scratch SELECT number FROM numbers(150)',
    clickhouse_settings: { max_partitions_per_insert_block: '0' },
  });
  expect(await breakParts('usage.scratch')).toBe(150);
  await own.server.start();

  const logged: Record<string, unknown>[] = [];
  const log = pino(
    new Writable({
      write: (line: Buffer, _encoding, done) => {
        logged.push(JSON.parse(line.toString()) as Record<string, unknown>);
        done();
      },
    }),
  );
  const stop = watchBrokenParts(own.client, 'usage', log, 20);
  await expect.poll(() => logged.length).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 200));
  await stop();
  expect(logged).toMatchObject([{ table: 'usage.scratch', parts: 150 }]);
  expect(logged[0]!['first']).toHaveLength(5);
  expect(await select('SELECT 1 FROM usage.event')).toHaveLength(1);
});

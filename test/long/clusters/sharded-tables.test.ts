import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CLICKHOUSE_SCHEMAS } from '#clickhouse/schemas.ts';
import { READABLE } from '#local/servers/analyst-limits.ts';
import { freePort } from '#local/state/ports.ts';
import type { Grouping } from '#proto/saring/wire/v1/words.ts';
import { UsageRecorded } from '#proto/saring/events/v1/usage.ts';
import { createLedgerReaders } from '#services/usage/create-usage.ts';
import { readUsageMessage } from '#services/usage/store/ledger-row.ts';
import { LedgerCeiling } from '#services/usage/store/ledger-ceiling.ts';
import { applyRetention, LedgerWriter } from '#services/usage/store/ledger-writer.ts';
import { GROUPINGS } from '#services/usage/store/usage-counts.ts';
import { connectClickHouse, type ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import { readArrow } from '#platform/clickhouse/clickhouse-arrow.ts';
import { commandEverywhere } from '#platform/clickhouse/cluster.ts';
import { statementSql } from '#platform/clickhouse/tables.ts';
import { createLogger } from '#platform/operations/logger.ts';
import { loadBrokerFlow } from '#market-reader/read-broker-flow.ts';
import { loadPanel } from '#market-reader/read-panel.ts';
import { brokerFile, tradeBetween } from '#support/markets/broker-rows.ts';
import { idxFile, weekdays } from '#support/markets/idx-archive.ts';
import { ClickhouseCluster } from '#support/servers/clickhouse-cluster.ts';
import { TestImporter } from '#support/services/test-importer.ts';
import { TestLedger } from '#support/services/test-ledger.ts';
import { fillKnownLedger } from '#support/usage/known-ledger.ts';
import { insertUsage, succeeded, usageEvent } from '#support/usage/usage-events.ts';

const log = createLogger('test', 'silent');
let cluster: ClickhouseCluster;
beforeAll(async () => {
  cluster = await ClickhouseCluster.start();
});
afterAll(() => cluster?.remove());

/** How many rows of a table each server holds. */
async function rowsByServer(table: string): Promise<number[]> {
  const counts: number[] = [];
  for (const url of cluster.nodes) {
    const node = connectClickHouse(url);
    const response = await node.query({
      query: `SELECT toUInt32(count()) AS n FROM ${table}`,
      format: 'JSONEachRow',
    });
    counts.push((await response.json<{ n: number }>())[0]!.n);
    await node.close();
  }
  return counts;
}

const isSpread = (counts: number[]) => expect(Math.min(...counts)).toBeGreaterThan(0);

describe('the ledger', () => {
  const [alone, sharded] = [new TestLedger(), new TestLedger()];
  const RUNS = Array.from({ length: 40 }, (_, index) => {
    const ts = new Date(Date.UTC(2025, 2, 1 + (index % 20), 3, index));
    const ids = { event_id: `ue_${index}`, job_id: `job_${index}`, request_id: `req_${index}` };
    return usageEvent({ ...ids, ts, api_key_id: `key_${index % 8}`, end_user: `user-${index % 5}` });
  });
  beforeAll(async () => {
    await alone.start();
    await sharded.startOn(cluster.address);
    for (const { sql } of [alone, sharded]) {
      await fillKnownLedger(sql);
      await insertUsage(sql, RUNS);
      await insertUsage(sql, RUNS.slice(0, 30).map(succeeded));
    }
  });
  afterAll(() => Promise.all([alone.stop(), sharded.stop()]));

  /** Asks one server and the shards the same, and expects the same response. */
  async function bothRespond<T>(ask: (own: TestLedger) => Promise<T>): Promise<T> {
    const [wanted, answered] = [await ask(alone), await ask(sharded)];
    expect(answered).toEqual(wanted);
    return answered;
  }
  const signal = new AbortController().signal;
  const readersOf = ({ sql }: TestLedger) =>
    createLedgerReaders({ read: sql, retentionDays: 0, ceilingRows: 0, log });

  test('is spread over all shards, with each key on exactly one', async () => {
    isSpread(await rowsByServer('usage.event_shard'));
    const keys = await Promise.all(
      cluster.nodes.map(async (url) => {
        const node = connectClickHouse(url);
        const query = 'SELECT DISTINCT toString(api_key_id) AS key FROM usage.event_shard';
        const rows = await (await node.query({ query, format: 'JSONEachRow' })).json<{ key: string }>();
        await node.close();
        return rows.map(({ key }) => key);
      }),
    );
    expect(new Set(keys.flat()).size).toBe(keys.flat().length);
  });

  test('answers history, single events and reports like a single server', async () => {
    for (const of of [{ apiKeyId: 'key_1' }, 'every key'] as const) {
      const filter = { of };
      const page = await bothRespond((own) => readersOf(own).ledger.newest(filter, undefined, 7, signal));
      expect(page).toHaveLength(of === 'every key' ? 7 : 5);
      const { ts, event_id } = page.at(-1)!;
      await bothRespond((own) => readersOf(own).ledger.newest(filter, { ts, event_id }, 50, signal));
      for (const grouping of Object.keys(GROUPINGS) as Grouping[])
        await bothRespond((own) => readersOf(own).counts.byGroup(filter, grouping, signal));
      await bothRespond((own) => readersOf(own).counts.byEndUser(filter, 100, signal));
      await bothRespond((own) => readersOf(own).counts.byKey(filter, signal));
    }
    const found = await bothRespond((own) => readersOf(own).ledger.find('key_3', 'ue_3', signal));
    expect(found).toMatchObject({ status: 'succeeded' });
  });

  test('finds unrecorded runs like a single server', async () => {
    const runs = [...RUNS, usageEvent({ event_id: 'ue_lost', ts: RUNS[0]!.ts!, api_key_id: 'key_5' })].map(
      ({ event_id, api_key_id, ts }) => ({ event_id, api_key_id, ts: ts!, status: 'succeeded' as const }),
    );
    const lacking = await bothRespond((own) => readersOf(own).unrecorded.find(runs, signal));
    expect(lacking.missing).toEqual(['ue_lost']);
    expect(lacking.stale).toHaveLength(10);
    const uptime = await readersOf(sharded).unrecorded.uptimeSeconds(signal);
    expect(uptime).toBeLessThan(600);
  });

  test.each(READABLE.filter((view) => view.startsWith('usage.')))(
    'shows analysts the same rows in %s',
    async (view) => {
      const rows = await bothRespond((own) => own.rows(`SELECT * FROM ${view} ORDER BY ALL`));
      expect(rows.length).toBeGreaterThan(0);
    },
  );

  const QUERIES = path.resolve(import.meta.dirname, '../../../deploy/clickhouse/queries');
  test.each(readdirSync(QUERIES))('answers the ready query %s like a single server', async (file) => {
    const params = { since: '2025-03-03', until: '2025-03-18', days: 2, minutes: 1 };
    await bothRespond((own) => own.rows(readFileSync(path.join(QUERIES, file), 'utf8'), params));
  });

  test('stores a repeated batch once, respects its ceiling and expires by age', async () => {
    const own = connectClickHouse(cluster.addressOf('usage'));
    const stored = async () => (await rowsByServer('usage.event_shard')).reduce((sum, rows) => sum + rows, 0);
    try {
      const before = await stored();
      const writer = new LedgerWriter(own, 0);
      const batch = ['key_1', 'key_2', 'key_3'].map((api_key_id) =>
        readUsageMessage(UsageRecorded.encode(usageEvent({ api_key_id })).finish()),
      );
      for (let i = 0; i < 2; i++) await writer.insert(batch);
      expect(await stored()).toBe(before + batch.length);
      const ceiling = new LedgerCeiling(own, 20);
      while (await ceiling.step(signal));
      const [left] = await sharded.rows<{ runs: number }>('SELECT count() AS runs FROM usage.run_v2');
      expect(left!.runs).toBe(20);
      await applyRetention(own, 180);
      await expect.poll(stored).toBe(batch.length);
    } finally {
      await own.close();
    }
  });
});

describe('the market', () => {
  const [alone, sharded] = [new TestImporter(), new TestImporter()];
  const DAYS = weekdays('2024-01-29', 40);
  const TICKERS = ['AAAA', 'BBBB', 'CCCC', 'DDDD', 'EEEE', 'FFFF'];
  beforeAll(async () => {
    await alone.start();
    await sharded.startOn(cluster.addressOf('market-data'));
  });
  afterAll(() => Promise.all([alone.stop(), sharded.stop()]));

  const barsOf = (days: string[], close: number) =>
    Object.fromEntries(
      TICKERS.map((ticker, index) => [
        `bars/${ticker}.csv`,
        idxFile(days.map((date, day) => ({ date, close: close + index * 10 + day }))),
      ]),
    );
  const trades = (date: string, price: number) =>
    TICKERS.flatMap((ticker, index) =>
      tradeBetween(['AK', 'CC'], 100 * (1 + index), price + index * 10, { ticker, date }),
    );

  /** Imports the same into one server and into the shards. Returns what a reader finds in each. */
  async function importBoth(files: Record<string, string>, adds: boolean) {
    const read = async (own: TestImporter) => {
      const { dataset, findings, rejections } = await own.import(files, { adds });
      const { published_at: _, fingerprint: __, origin_fingerprint: ___, ...label } = dataset!;
      const ask = (...query: [string, Record<string, unknown>]) => readArrow(own.sql, ...query);
      const panel = await loadPanel(ask, label.version);
      const span = { firstDay: 0, lastDay: panel.columns.dates.length - 1 };
      const flow = await loadBrokerFlow(ask, {
        panel,
        version: label.version,
        segments: label.broker_segments,
        ...span,
      });
      return { label, findings, rejections, columns: panel.columns, flow: flow.columns };
    };
    const [wanted, found] = [await read(alone), await read(sharded)];
    expect(found).toEqual(wanted);
    return found;
  }

  test('is imported, corrected, extended and pruned as on a single server, and is sharded by ticker', async () => {
    const whole = await importBoth(
      { ...barsOf(DAYS, 100), 'rows.csv': brokerFile(trades(DAYS[30]!, 130)) },
      false,
    );
    expect(whole.label).toMatchObject({ bars: 240, broker_rows: 12 });
    isSpread(await rowsByServer('market.daily_bar_shard'));
    isSpread(await rowsByServer('market.broker_flow_shard'));
    const next = await importBoth({ 'rows.csv': brokerFile(trades(DAYS[31]!, 131)) }, true);
    expect(next.label.broker_rows).toBe(24);
    const day = weekdays('2024-01-29', 41).at(-1)!;
    const last = await importBoth(barsOf([day], 140), true);
    expect(last.label).toMatchObject({ bars: 246, last_date: day });
    const pruned = await alone.prune(1);
    // The shards also hold versions of the ledger's tests, which are pruned too.
    expect((await sharded.prune(1)).filter((version) => version.startsWith('real-'))).toEqual(pruned);
    expect(pruned).toHaveLength(2);
    const bars = await rowsByServer('market.daily_bar_shard');
    expect(bars.reduce((sum, count) => sum + count, 0)).toBe(246);
    expect(await sharded.bars(await sharded.store.find(last.label.version))).toHaveLength(246);
  });
});

describe('replicated tables, which the embedded server can parse but not run', () => {
  const REPLICATED = { name: 'saring', isReplicated: true };
  let sql: ClickHouseClient;
  beforeAll(() => {
    sql = connectClickHouse(cluster.nodes[0]!);
  });
  afterAll(() => sql.close());

  test.each(CLICKHOUSE_SCHEMAS)('every statement of $database is valid SQL', async ({ migrations }) => {
    const statements = migrations.flatMap((migration) => migration.statements);
    for (const query of statements.flatMap((statement) => statementSql(statement, REPLICATED, true)))
      await sql.command({ query: `EXPLAIN AST ${query}` });
    const tables = statements.filter((statement) => typeof statement !== 'string' && 'create' in statement);
    for (const table of tables) {
      const [shard, whole] = statementSql(table, REPLICATED, true);
      expect(shard).toMatch(
        /ENGINE = Replicated(Replacing)?MergeTree\('\/clickhouse\/tables\/\{shard\}\/\w+\/\w+', '\{replica\}'/,
      );
      expect(whole).toMatch(/ENGINE = Distributed\('saring', '\w+', '\w+_shard', cityHash64\(\w+\)\)/);
    }
  });

  test('a missing server is tolerated when a replica exists, and an error otherwise', async () => {
    const unavailable = `http://fleet:fleet-of-a-test@127.0.0.1:${await freePort()}`;
    for (const isReplicated of [true, false]) {
      const url = `${cluster.nodes[0]!},${unavailable}`;
      const client = connectClickHouse({ url, cluster: { name: 'saring', isReplicated } });
      const done = commandEverywhere(client, { query: 'SELECT 1' });
      if (isReplicated) await done;
      else await expect(done).rejects.toThrow('ECONNREFUSED');
      await client.close();
    }
  });
});

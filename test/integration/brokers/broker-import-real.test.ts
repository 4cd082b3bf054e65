import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ImportOutcome } from '#proto/saring/market_data/v1/datasets.ts';
import { storedBrokerRows } from '#support/markets/broker-rows.ts';
import { operator } from '#support/services/dataset-client.ts';
import { REPOSITORY } from '#support/repository.ts';
import { testMarketData } from '#support/services/test-market-data.ts';
import { needing, THE_REAL_MARKET } from '#support/needing.ts';

const DATA = path.join(REPOSITORY, '../shared/data');
const BARS = path.join(DATA, 'idx-daily.tar.gz');
const ROWS = path.join(DATA, 'broker_rows.csv.gz');
const isThere = existsSync(BARS) && existsSync(ROWS);
describe('the real broker rows on the real bars', needing(THE_REAL_MARKET, isThere), () => {
  const own = testMarketData();
  /** Lines of the file as fields, without the header. */
  let lines: string[][];
  let outcome: ImportOutcome;
  beforeAll(async () => {
    const bytes = readFileSync(ROWS);
    lines = gunzipSync(bytes)
      .toString()
      .trim()
      .split(/\r?\n/)
      .slice(1)
      .map((line) => line.split(','));
    await own.importBytes(readFileSync(BARS));
    outcome = await own.importBytes(bytes, { source: 'broker_rows.csv.gz' });
    console.log(`${lines.length} broker rows in ${outcome.elapsed_ms} ms`);
  });

  test('are added to the bars, and their real rejections and findings are reported', () => {
    expect(outcome.dataset).toMatchObject({
      version: 'real-20240628-2',
      bars: 925_488,
      rejected_rows: 85_280,
      broker_data: 'real',
      broker_rows: 66_316,
      broker_first_date: '2019-07-29',
      broker_last_date: '2024-06-28',
    });
    expect(outcome.rejections).toEqual([
      { reason: 'day outside the days of the dataset', rows: 84_543, first_at: 'broker_rows.csv:2' },
      { reason: 'unknown market', rows: 737, first_at: 'broker_rows.csv:150753' },
    ]);
    expect(outcome.findings).toEqual([
      {
        finding: 'incomplete: not within 1 % of the exchange’s volume',
        count: 148,
        first_at: 'BUMI 2019-08-21 REG',
      },
      { finding: 'broker that the broker table does not have', count: 4, first_at: 'FM, JB, KW, PK' },
    ]);
  });

  test('are stored unchanged, each once', async () => {
    const inSpan = lines.filter(
      ([, , date, market]) => market === 'RG' && date! >= '2019-07-29' && date! <= '2024-06-28',
    );
    const wanted = inSpan.map(
      ([, ticker, date, , mode, broker, , ...amounts]) =>
        `${ticker} ${date} REG ${broker} ${mode} +${amounts[0]}@${amounts[1]} -${amounts[2]}@${amounts[3]}`,
    );
    const stored = await storedBrokerRows(own, outcome.dataset!);
    expect(stored).toHaveLength(wanted.length);
    const found = new Set(stored);
    expect(wanted.filter((row) => !found.has(row))).toEqual([]);
  });

  test('every rejected row is reported with its line', async () => {
    const { rows } = await own.datasets.listRejectedRows({ version: '', limit: 1_000 }, operator);
    for (const { line, text } of rows) expect(text).toBe(lines[line - 2]!.join(','));
  });

  test('every month is one segment of one part', async () => {
    const segments = outcome.dataset!.broker_segments;
    expect(segments).toHaveLength(60);
    const parts = await own.select(
      `SELECT partition FROM system.parts
       WHERE active AND database = 'market' AND table = 'broker_flow' AND has({segments:Array(String)}, partition)`,
      { segments },
    );
    expect(parts).toHaveLength(60);
  });
});

import { Readable } from 'node:stream';
import { parentPort, workerData } from 'node:worker_threads';
import type { ClickHouseSettings } from '@clickhouse/client';
import { loadBars } from '#market-reader/read-panel.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { BrokerRows } from '#synthetic/brokers/broker-rows.ts';
import { brokersOf, type BrokerEntry } from '#synthetic/brokers/brokers.ts';
import { BrokerMonthGenerator, spanOfMonth } from '#synthetic/brokers/broker-month-generator.ts';
import { connectClickHouse } from '#shared/clickhouse/clickhouse.ts';
import { readArrow } from '#shared/clickhouse/clickhouse-arrow.ts';
import { encodeNativeBlock } from './native-block.ts';
import type { FromThread, MonthTask, MonthThreadData } from './month-threads.ts';

/** Of one insert, which is a month of the market. */
const TIMEOUT_MS = 120_000;
/** Some 2.5 MB on the wire. */
const ROWS_PER_BLOCK = 65_536;
/** A month arrives as one part, whatever its size. */
const ONE_PART: ClickHouseSettings = {
  min_insert_block_size_rows: '100000000',
  min_insert_block_size_bytes: '4000000000',
};

const { clickhouseUrl, version, seed, stopped } = workerData as MonthThreadData;
const client = connectClickHouse(clickhouseUrl, TIMEOUT_MS);
const brokers = brokersOf(await readBrokerTable());
const rows = new BrokerRows(ROWS_PER_BLOCK);

parentPort!.on('message', (task: MonthTask | null) => {
  if (task === null) {
    parentPort!.close();
    void client.close();
  } else {
    void generate(task).then(() => post('free'));
  }
});
post('free');

/** Stores the broker rows of a month. A failure ends the thread. */
async function generate({ month, segment }: MonthTask): Promise<void> {
  const panel = await loadBars(
    (query, params) => readArrow(client, query, params),
    version,
    spanOfMonth(month),
  );
  const blocks = blocksOf(panel, month, segment);
  const first = blocks.next();
  if (first.done === true) return;
  const { stream } = await client.exec({
    query: 'INSERT INTO market.broker_flow FORMAT Native',
    values: Readable.from(begunWith(first.value, blocks), { objectMode: false }),
    clickhouse_settings: ONE_PART,
  });
  for await (const _ of stream);
}

function* begunWith(first: Uint8Array, rest: Iterable<Uint8Array>): Generator<Uint8Array> {
  yield first;
  yield* rest;
}

function* blocksOf(panel: Panel, month: string, segment: string): Generator<Uint8Array> {
  const generator = new BrokerMonthGenerator(seed, brokers, panel, month);
  const names = { segment, tickers: panel.columns.tickers, brokers: brokers.codes };
  rows.clear();
  for (let ticker = 0; ticker < panel.tickerCount; ticker++) {
    if (Atomics.load(stopped, 0) !== 0) throw new Error('stopped by its parent');
    generator.append(ticker, rows);
    const isLast = ticker === panel.tickerCount - 1;
    if (!rows.isFull && !(isLast && rows.length > 0)) continue;
    yield* encodeNativeBlock(rows, names);
    post({ more: rows.length });
    rows.clear();
  }
}

async function readBrokerTable(): Promise<BrokerEntry[]> {
  const answer = await client.query({
    query: `SELECT code, is_retail = 1 AS is_retail, is_foreign = 1 AS is_foreign FROM market.broker
            WHERE dataset_version = {version:String}`,
    query_params: { version },
    format: 'JSONEachRow',
  });
  return answer.json<BrokerEntry>();
}

function post(message: FromThread): void {
  parentPort!.postMessage(message);
}

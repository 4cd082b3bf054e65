import { Readable } from 'node:stream';
import { parentPort, workerData } from 'node:worker_threads';
import type { ClickHouseSettings } from '@clickhouse/client';
import { loadBars } from '#market-reader/read-panel.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { BrokerRows } from '#synthetic-market/brokers/broker-row-buffer.ts';
import { brokersOf, type BrokerEntry } from '#synthetic-market/brokers/brokers.ts';
import { BrokerMonthGenerator, spanOfMonth } from '#synthetic-market/brokers/broker-month-generator.ts';
import { connectClickHouse } from '#platform/clickhouse/clickhouse.ts';
import { clickhouseRows } from '#platform/clickhouse/rows.ts';
import { readArrow } from '#platform/clickhouse/clickhouse-arrow.ts';
import { encodeText, varint } from '../staging/staged-blocks.ts';
import type { FromThread, MonthTask, MonthThreadData } from './synthesize-broker-rows.ts';

/** The limit for one insert, which holds a month of the market. */
const TIMEOUT_MS = 120_000;
/** About 2.5 MB sent to the server. */
const ROWS_PER_BLOCK = 65_536;
/** A month becomes one part, whatever its size. */
const ONE_PART: ClickHouseSettings = {
  min_insert_block_size_rows: '100000000',
  min_insert_block_size_bytes: '4000000000',
};

const { clickhouseAt, version, seed, stopped } = workerData as MonthThreadData;
const client = connectClickHouse(clickhouseAt, TIMEOUT_MS);
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

/** Generates and stores the broker rows of a month. A failure ends the thread. */
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
  const query = `SELECT code, is_retail = 1 AS is_retail, is_foreign = 1 AS is_foreign FROM market.broker
    WHERE dataset_version = {version:String}`;
  return clickhouseRows<BrokerEntry>(client, query, { version });
}

function post(message: FromThread): void {
  parentPort!.postMessage(message);
}

/** The names behind the indices in broker rows. */
interface RowNames {
  segment: string;
  /** By index, as are `brokers`. */
  tickers: readonly string[];
  brokers: readonly string[];
}

const MARKET_NAMES = ['REG', 'NEGO'];
const MODE_NAMES = ['gross'];

/** Each block carries its own dictionary, in the form that the server reads (`SerializationLowCardinality`). */
const DICTIONARY_VERSION = 1n;
const OWN_DICTIONARY = 0x600n;
const INDEX_WIDTHS = { 1: 0n, 2: 1n } as const;

/**
 * Encodes rows as one block of ClickHouse's format Native, in pieces: columns as they are in memory, strings as
 * dictionaries. The pieces share no memory with the rows.
 */
function* encodeNativeBlock(rows: BrokerRows, names: RowNames): Generator<Uint8Array> {
  const { length } = rows;
  yield Buffer.concat([varint(10), varint(length)]);
  yield* words('segment', [names.segment], new Uint8Array(length));
  yield* words('ticker', names.tickers, rows.ticker.slice(0, length));
  yield* column('date', 'Date', rows.epochDay.slice(0, length));
  yield* words('market', MARKET_NAMES, rows.isNego.slice(0, length));
  yield* words('broker', names.brokers, rows.broker.slice(0, length));
  yield* words('mode', MODE_NAMES, new Uint8Array(length));
  for (const name of ['buy_shares', 'buy_value', 'sell_shares', 'sell_value'] as const) {
    yield* column(name, 'UInt64', wholeNumbers(rows[name], length));
  }
}

function* column(name: string, type: string, values: Uint8Array | Uint16Array | Uint32Array) {
  yield Buffer.concat([encodeText(name), encodeText(type)]);
  yield bytesOf(values);
}

function* words(name: string, keys: readonly string[], indices: Uint8Array | Uint16Array) {
  const width = INDEX_WIDTHS[indices.BYTES_PER_ELEMENT as 1 | 2];
  yield Buffer.concat([
    encodeText(name),
    encodeText('LowCardinality(String)'),
    uint64(DICTIONARY_VERSION),
    uint64(OWN_DICTIONARY | width),
    uint64(BigInt(keys.length)),
    ...keys.map(encodeText),
    uint64(BigInt(indices.length)),
  ]);
  yield bytesOf(indices);
}

/** Whole numbers below 2^53 as pairs of 32-bit words, the lower one first. */
function wholeNumbers(values: Float64Array, length: number): Uint32Array {
  const pairs = new Uint32Array(2 * length);
  for (let i = 0; i < length; i++) {
    pairs[2 * i] = values[i]! >>> 0;
    pairs[2 * i + 1] = values[i]! / 0x1_0000_0000;
  }
  return pairs;
}

function bytesOf(values: Uint8Array | Uint16Array | Uint32Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

function uint64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}

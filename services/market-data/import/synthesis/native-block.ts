import type { BrokerRows } from '#synthetic/brokers/broker-rows.ts';

/** What the numbers of broker rows stand for. */
interface RowNames {
  segment: string;
  /** By index. */
  tickers: readonly string[];
  brokers: readonly string[];
}

const MARKET_NAMES = ['REG', 'NEGO'];
const MODE_NAMES = ['gross'];

/** A dictionary of its own with every block, as the server reads it (`SerializationLowCardinality`). */
const DICTIONARY_VERSION = 1n;
const OWN_DICTIONARY = 0x600n;
const INDEX_WIDTHS = { 1: 0n, 2: 1n } as const;

/**
 * Rows as one block of ClickHouse's format Native, in pieces: columns as they stand in memory, words as dictionaries.
 * The pieces hold none of the rows' own memory.
 */
export function* encodeNativeBlock(rows: BrokerRows, names: RowNames): Generator<Uint8Array> {
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
  yield Buffer.concat([text(name), text(type)]);
  yield bytesOf(values);
}

function* words(name: string, keys: readonly string[], indices: Uint8Array | Uint16Array) {
  const width = INDEX_WIDTHS[indices.BYTES_PER_ELEMENT as 1 | 2];
  yield Buffer.concat([
    text(name),
    text('LowCardinality(String)'),
    uint64(DICTIONARY_VERSION),
    uint64(OWN_DICTIONARY | width),
    uint64(BigInt(keys.length)),
    ...keys.map(text),
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

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([varint(bytes.length), bytes]);
}

function uint64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}

/** LEB128. */
function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let left = value; ; left >>>= 7) {
    if (left < 0x80) return Buffer.from([...bytes, left]);
    bytes.push((left & 0x7f) | 0x80);
  }
}

import { Readable } from 'node:stream';
import type { ClickHouseSettings } from '@clickhouse/client';
import type { ClickHouseClient } from '#shared/clickhouse/clickhouse.ts';

/** What staging receives at a time: lines of one file, cut into rows and fields by ClickHouse. */
export interface StagedBlock {
  file: string;
  ticker: string;
  firstLine: number;
  text: Buffer;
}

/** The structure of a block on its way to the server, for the SQL function `input`. */
export const STAGED_BLOCK_STRUCTURE =
  'file LowCardinality(String), ticker LowCardinality(String), first_line UInt32, block String';

/** Parts of this size keep the server's memory for an import at some tens of megabytes, and are few all the same. */
const STREAM_SETTINGS: ClickHouseSettings = {
  max_insert_block_size: '32',
  min_insert_block_size_rows: '200000',
  min_insert_block_size_bytes: '33554432',
  // No branch of the rules can fail or is dear; masking rows for each costs more than computing all.
  short_circuit_function_evaluation: 'disable',
};

/** The server parses an insert on one core. */
const PARALLEL_INSERTS = 2;

/**
 * Streams lines into the server, which cuts, parses and judges them while they arrive.
 * @param query an INSERT whose SELECT reads blocks, as `STAGED_BLOCK_STRUCTURE` has them, from the function `input`
 */
export async function insertBlocks(
  client: ClickHouseClient,
  query: string,
  query_params: Record<string, unknown>,
  blocks: AsyncIterable<StagedBlock>,
): Promise<void> {
  const iterator = blocks[Symbol.asyncIterator]();
  /** Inserts the blocks that no other inserter takes. */
  const insertShare = async () => {
    const { stream } = await client.exec({
      query: `${query} FORMAT RowBinary`,
      query_params,
      values: Readable.from(encoded(iterator), { objectMode: false }),
      clickhouse_settings: STREAM_SETTINGS,
    });
    stream.resume();
  };
  const inserts = await Promise.allSettled(Array.from({ length: PARALLEL_INSERTS }, insertShare));
  await iterator.return?.();
  const failed = inserts.find((insert) => insert.status === 'rejected');
  if (failed) throw failed.reason;
}

async function* encoded(blocks: AsyncIterator<StagedBlock>): AsyncGenerator<Buffer> {
  for (let next = await blocks.next(); next.done !== true; next = await blocks.next()) {
    yield* encodeBlock(next.value);
  }
}

/** A block as one row of ClickHouse's RowBinary: needs no escaping, so that every byte arrives as it was. */
function encodeBlock({ file, ticker, firstLine, text }: StagedBlock): Buffer[] {
  const line = Buffer.alloc(4);
  line.writeUInt32LE(firstLine);
  return [Buffer.concat([encodeText(file), encodeText(ticker), line, varint(text.length)]), text];
}

function encodeText(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([varint(bytes.length), bytes]);
}

/** LEB128, as RowBinary writes lengths. */
function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let left = value; ; left >>>= 7) {
    if (left < 0x80) return Buffer.from([...bytes, left]);
    bytes.push((left & 0x7f) | 0x80);
  }
}

import { Readable } from 'node:stream';
import type { ClickHouseSettings } from '@clickhouse/client';
import type { ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';

/** The unit in which staging receives data: lines of one file, which ClickHouse splits into rows and fields. */
export interface StagedBlock {
  file: string;
  ticker: string;
  firstLine: number;
  text: Buffer;
}

/** The structure in which a block is sent to the server, for the SQL function `input`. */
export const STAGED_BLOCK_STRUCTURE =
  'file LowCardinality(String), ticker LowCardinality(String), first_line UInt32, block String';

/** Parts of this size limit the server's memory for an import to some tens of megabytes, but are still few. */
const STREAM_SETTINGS: ClickHouseSettings = {
  max_insert_block_size: '32',
  min_insert_block_size_rows: '200000',
  min_insert_block_size_bytes: '33554432',
  // No branch of the rules can fail or is expensive. Masking rows for each branch costs more than computing all of
  // them.
  short_circuit_function_evaluation: 'disable',
};

/** ClickHouse parses one insert on one core. A second one gains more than it costs beyond this size. */
const ALONE_BYTES = 4 * 1024 * 1024;

/**
 * Streams lines into the server, which splits, parses and checks them as they arrive.
 * @param query an INSERT whose SELECT reads blocks with the structure `STAGED_BLOCK_STRUCTURE` from the function
 *   `input`
 */
export async function insertBlocks(
  client: ClickHouseClient,
  query: string,
  query_params: Record<string, unknown>,
  blocks: AsyncIterable<StagedBlock>,
): Promise<void> {
  const iterator = blocks[Symbol.asyncIterator]();
  const isLarge = Promise.withResolvers<boolean>();
  let sentBytes = 0;
  async function* encoded(): AsyncGenerator<Buffer> {
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
      sentBytes += next.value.text.length;
      if (sentBytes > ALONE_BYTES) isLarge.resolve(true);
      yield* encodeBlock(next.value);
    }
  }
  /** Inserts the blocks that it takes from the shared iterator. */
  const insertShare = async () => {
    const { stream } = await client.exec({
      query: `${query} FORMAT RowBinary`,
      query_params,
      values: Readable.from(encoded(), { objectMode: false }),
      clickhouse_settings: STREAM_SETTINGS,
    });
    stream.resume();
  };
  const first = insertShare().finally(() => isLarge.resolve(false));
  const second = isLarge.promise.then((large) => (large ? insertShare() : undefined));
  const inserts = await Promise.allSettled([first, second]);
  await iterator.return?.();
  const failed = inserts.find((insert) => insert.status === 'rejected');
  if (failed) throw failed.reason;
}

/** A block as one row of ClickHouse's RowBinary format. It needs no escaping, so every byte arrives unchanged. */
function encodeBlock({ file, ticker, firstLine, text }: StagedBlock): Buffer[] {
  const line = Buffer.alloc(4);
  line.writeUInt32LE(firstLine);
  return [Buffer.concat([encodeText(file), encodeText(ticker), line, varint(text.length)]), text];
}

export function encodeText(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([varint(bytes.length), bytes]);
}

/** LEB128, as the binary formats of ClickHouse write lengths. */
export function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let left = value; ; left >>>= 7) {
    if (left < 0x80) return Buffer.from([...bytes, left]);
    bytes.push((left & 0x7f) | 0x80);
  }
}

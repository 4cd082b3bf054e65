import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RecordBatchStreamWriter, tableFromArrays } from 'apache-arrow';
import { expect, test } from 'vitest';
import { isClickHouseUnavailable, connectClickHouse } from './clickhouse.ts';
import { readArrow } from './clickhouse-arrow.ts';

const ROWS = 10_000;
const BATCHES = 3;

/** A response of several batches, as ClickHouse sends it. */
function reply(): Buffer {
  const table = tableFromArrays({ number: Int32Array.from({ length: ROWS }, (_, row) => row) });
  const writer = new RecordBatchStreamWriter();
  for (let batch = 0; batch < BATCHES; batch++) writer.write(table.batches[0]);
  writer.finish();
  return Buffer.from(writer.toUint8Array(true));
}

const TAG = 'pmwcpthvlatfotia';
const MESSAGE =
  'Code: 159. DB::Exception: Timeout exceeded: elapsed 2 s. (TIMEOUT_EXCEEDED) (version 26.7.2.1)\n';
/** What ClickHouse 26.7 writes behind the bytes of an answer whose query fails. */
const EXCEPTION = `\r\n__exception__\r\n${TAG}\r\n${MESSAGE}${MESSAGE.length} ${TAG}\r\n__exception__\r\n`;

/** How many rows a reader gets when the connection is lost after these pieces. */
async function rowsOf(...pieces: Buffer[]): Promise<number> {
  const server = createServer((_request, response) => {
    response.setHeader('x-clickhouse-exception-tag', TAG);
    const writeNext = () => {
      const piece = pieces.shift();
      if (piece) response.write(piece, () => setTimeout(writeNext, 20));
      else response.destroy();
    };
    writeNext();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = connectClickHouse(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  try {
    let rows = 0;
    for await (const batch of readArrow(client, 'SELECT 1', {})) rows += batch.numRows;
    return rows;
  } finally {
    await client.close();
    server.closeAllConnections();
    server.close();
  }
}

test('a truncated answer is always a lost connection, never a shorter answer', async () => {
  const whole = reply();
  // Includes cuts at the end of a batch: every step is shorter than the header of the next batch.
  const cuts = Array.from({ length: 24 }, (_, at) => Math.round((whole.length * 2) / 3) - 400 + at * 32);
  for (const cut of [10, Math.round(whole.length / 2), ...cuts]) {
    const failure = await rowsOf(whole.subarray(0, cut)).catch((error: unknown) => error);
    expect(failure, `cut off after ${cut} bytes`).toBeInstanceOf(Error);
    expect(isClickHouseUnavailable(failure)).toBe(true);
  }
});

test('an exception behind batches is the error of the server, wherever the bytes are divided; one that is cut off is a lost connection', async () => {
  const unfinished = reply().subarray(0, -8);
  const all = Buffer.concat([unfinished, Buffer.from(EXCEPTION)]);
  for (let at = unfinished.length - 3; at < all.length; at += 9) {
    const divided = await rowsOf(all.subarray(0, at), all.subarray(at)).catch((error: unknown) => error);
    expect(divided, `divided after ${at} bytes`).toMatchObject({ code: '159', type: 'TIMEOUT_EXCEEDED' });
    const cutOff = await rowsOf(all.subarray(0, at)).catch((error: unknown) => error);
    expect(isClickHouseUnavailable(cutOff), `cut off after ${at} bytes`).toBe(true);
  }
});

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RecordBatchStreamWriter, tableFromArrays } from 'apache-arrow';
import { expect, test } from 'vitest';
import { isClickHouseAway, connectClickHouse } from './clickhouse.ts';
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

/** How many rows a reader gets when the connection is lost after these bytes. */
async function rowsOf(bytes: Buffer): Promise<number> {
  const server = createServer((_request, response) => {
    response.write(bytes, () => setTimeout(() => response.destroy(), 20));
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
    expect(isClickHouseAway(failure)).toBe(true);
  }
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { readArrow } from '#shared/clickhouse/clickhouse-arrow.ts';
import { connectClickHouse, isClickHouseAway } from '#shared/clickhouse/clickhouse.ts';
import { PrivateServer } from '#support/servers/private-server.ts';
import { TcpProxy } from '#support/servers/tcp-proxy.ts';

let server: PrivateServer;
let proxy: TcpProxy;
beforeAll(async () => {
  server = await PrivateServer.clickhouse();
  proxy = await TcpProxy.start(server.url);
});
afterAll(async () => {
  proxy?.stop();
  await server?.remove();
});

const SILENCE_MS = 1_000;

test.for([
  { when: 'before an answer', batches: 0 },
  { when: 'amid an answer', batches: 1 },
])('a connection that falls silent $when ends the read as ClickHouse unavailable', async ({ batches }) => {
  const client = connectClickHouse(proxy.url, SILENCE_MS);
  const sql = 'SELECT number, sipHash64(number) AS hash FROM numbers(50000000)';
  const reading = async () => {
    let read = 0;
    if (batches === 0) proxy.hold();
    for await (const _ of readArrow(client, sql, {})) if (++read === batches) proxy.silence();
  };
  const error = await reading().catch((caught: unknown) => caught);
  proxy.mend();
  expect(isClickHouseAway(error)).toBe(true);
  await client.close();
});

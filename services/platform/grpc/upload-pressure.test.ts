import { expect, test } from 'vitest';
import { DatasetServiceService, type ImportDatasetRequest } from '#proto/saring/market_data/v1/datasets.ts';
import { NO_TLS, OPERATOR_TOKEN, quietServer } from '#support/processes/service-process.ts';
import { createGrpcClient } from './client.ts';
import type { Handlers } from './server.ts';

const CHUNKS = 600;

let received = 0;
/** The other methods are no part of this test. */
const datasets = {
  importDataset: async function* (messages) {
    for await (const { part } of messages) {
      if (part?.$case === 'chunk') received++;
      if (received % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    }
    yield { event: undefined };
  },
} satisfies Partial<Handlers<DatasetServiceService>> as unknown as Handlers<DatasetServiceService>;

test('a long upload waits for a slow reader, arrives whole and causes no process warnings', async () => {
  const server = quietServer();
  const address = `127.0.0.1:${await server.add(DatasetServiceService, datasets).listen()}`;
  const client = createGrpcClient(DatasetServiceService, {
    address,
    tls: NO_TLS,
    timeoutMs: 10_000,
    unavailableCode: 'data_unavailable',
  });
  let [sent, furthestAhead] = [0, 0];
  async function* upload(): AsyncGenerator<ImportDatasetRequest> {
    for (; sent < CHUNKS; sent++) {
      furthestAhead = Math.max(furthestAhead, sent - received);
      yield { part: { $case: 'chunk', value: Buffer.alloc(64 * 1024) } };
    }
  }
  const warnings: Error[] = [];
  const warned = (warning: Error) => warnings.push(warning);
  process.on('warning', warned);
  const responses = client
    .importDataset(upload(), { requestId: 'req_test', operatorToken: OPERATOR_TOKEN })
    [Symbol.asyncIterator]();
  expect(await responses.next()).toMatchObject({ done: false });
  process.off('warning', warned);
  client.close();
  await server.stop();
  expect(received).toBe(CHUNKS);
  expect(furthestAhead).toBeLessThan(CHUNKS / 2);
  expect(warnings.map(({ message }) => message)).toEqual([]);
});

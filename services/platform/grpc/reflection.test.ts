import { expect, test } from 'vitest';
import { KeysServiceService } from '#proto/saring/keys/v1/keys.ts';
import { DatasetServiceService } from '#proto/saring/market_data/v1/datasets.ts';
import { MarketDataServiceService } from '#proto/saring/market_data/v1/market_data.ts';
import { reflectedComment, reflectedServices } from '#support/grpc/reflected-services.ts';
import { HANGS_AFTER_MS } from '#support/hangs.ts';
import { NO_TLS, quietServer } from '#support/processes/service-process.ts';
import type { ServiceMethods } from './method-types.ts';

/** What a server of these services shows to a client that knows none of them. */
async function reflected(...definitions: ServiceMethods[]) {
  const server = quietServer();
  for (const definition of definitions) server.add(definition, {});
  const address = `127.0.0.1:${await server.listen()}`;
  const options = {
    address,
    tls: NO_TLS,
    timeoutMs: HANGS_AFTER_MS,
    unavailableCode: 'internal_error',
  } as const;
  try {
    return await reflectedServices(options, { requestId: 'req_test' });
  } finally {
    await server.stop();
  }
}

test('a server lists exactly its own services', async () => {
  const names = (services: Awaited<ReturnType<typeof reflected>>) => services.map(({ typeName }) => typeName);
  expect(names(await reflected(KeysServiceService))).toEqual(['saring.keys.v1.KeysService']);
  expect(names(await reflected())).toEqual([]);
  expect(names(await reflected(DatasetServiceService, MarketDataServiceService))).toEqual([
    'saring.market_data.v1.DatasetService',
    'saring.market_data.v1.MarketDataService',
  ]);
});

test('reflection describes services and calls in words, optional fields, and types from other files', async () => {
  const [dataset, market] = await reflected(DatasetServiceService, MarketDataServiceService);
  expect(reflectedComment(market!)).toContain('the served dataset version');
  const snapshot = market!.method['getSnapshot']!;
  expect(reflectedComment(snapshot)).toContain('daily bars');
  expect(snapshot.output.field['name']).toMatchObject({ presence: 1, proto: { proto3Optional: true } });
  expect(snapshot.output.field['ticker']).toMatchObject({ presence: 2 });
  const { output } = dataset!.method['getCurrentDataset']!;
  expect(output.field['dataset']?.message?.field['publishedAt']?.message?.typeName).toBe(
    'google.protobuf.Timestamp',
  );
});

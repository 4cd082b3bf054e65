import { pino } from 'pino';
import { expect, test } from 'vitest';
import { KeysServiceService } from '#proto/saring/keys/v1/keys.ts';
import { DatasetServiceService } from '#proto/saring/market_data/v1/datasets.ts';
import { MarketDataServiceService } from '#proto/saring/market_data/v1/market_data.ts';
import { CatalogueServiceService } from '#proto/saring/models/v1/catalogue.ts';
import { RunsServiceService } from '#proto/saring/models/v1/runs.ts';
import { UsageServiceService } from '#proto/saring/usage/v1/usage.ts';
import { reflectedComment, reflectedServices } from '#support/grpc/reflected-services.ts';
import { NO_TLS, SERVER_CONFIG } from '#support/processes/service-process.ts';
import type { ServiceMethods } from './method-types.ts';
import { GrpcServer } from './server.ts';

const SERVICES: Record<string, ServiceMethods> = {
  'saring.keys.v1.KeysService': KeysServiceService,
  'saring.market_data.v1.DatasetService': DatasetServiceService,
  'saring.market_data.v1.MarketDataService': MarketDataServiceService,
  'saring.models.v1.CatalogueService': CatalogueServiceService,
  'saring.models.v1.RunsService': RunsServiceService,
  'saring.usage.v1.UsageService': UsageServiceService,
};

/** What a server of these services shows to a client that knows none of them. */
async function reflected(...definitions: ServiceMethods[]) {
  const server = new GrpcServer({ service: 'test', config: SERVER_CONFIG, log: pino({ level: 'silent' }) });
  for (const definition of definitions) server.add(definition, {});
  const address = `127.0.0.1:${await server.listen()}`;
  const options = { address, tls: NO_TLS, timeoutMs: 5_000, unavailableCode: 'internal_error' } as const;
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
  expect(names(await reflected(...Object.values(SERVICES))).toSorted()).toEqual(Object.keys(SERVICES));
});

test.each(Object.entries(SERVICES))(
  '%s documents every call and how it streams',
  async (name, definition) => {
    const [service] = await reflected(definition);
    expect(reflectedComment(service!)).toBeTruthy();
    expect(service!.methods).toHaveLength(Object.keys(definition).length);
    for (const { path, requestStream, responseStream } of Object.values(definition)) {
      const method = service!.methods.find((candidate) => path === `/${name}/${candidate.name}`)!;
      const { clientStreaming, serverStreaming } = method.proto;
      expect([clientStreaming, serverStreaming], path).toEqual([requestStream, responseStream]);
      expect(reflectedComment(method), path).toMatch(/\w+.*\.$/);
    }
  },
);

test('reflection describes optional fields and types from other files', async () => {
  const [dataset, market] = await reflected(DatasetServiceService, MarketDataServiceService);
  const snapshot = market!.method['getSnapshot']!.output;
  expect(snapshot.field['name']).toMatchObject({ presence: 1, proto: { proto3Optional: true } });
  expect(snapshot.field['ticker']).toMatchObject({ presence: 2 });
  const { output } = dataset!.method['getCurrentDataset']!;
  expect(output.field['dataset']?.message?.field['publishedAt']?.message?.typeName).toBe(
    'google.protobuf.Timestamp',
  );
});

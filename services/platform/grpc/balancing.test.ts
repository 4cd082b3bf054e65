import { afterEach, expect, test } from 'vitest';
import { KeysServiceService } from '#proto/saring/keys/v1/keys.ts';
import { identityOf, NO_TLS, quietServer } from '#support/processes/service-process.ts';
import { createGrpcClient } from './client.ts';
import type { GrpcServer, Handlers } from './server.ts';

const servers: GrpcServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.stop())));

async function copyOfKeys(answered: () => void): Promise<{ port: number; server: GrpcServer }> {
  const server = quietServer();
  const handlers = { authenticate: async () => (answered(), { api_key: undefined }) };
  server.add(KeysServiceService, handlers as unknown as Handlers<KeysServiceService>);
  servers.push(server);
  return { port: await server.listen(), server };
}

test('calls rotate over the replicas of a service, and none fails when a replica stops', async () => {
  const answered = [0, 0];
  const copies = await Promise.all(answered.map((_, index) => copyOfKeys(() => answered[index]!++)));
  const client = createGrpcClient(KeysServiceService, {
    address: `ipv4:${copies.map(({ port }) => `127.0.0.1:${port}`).join()}`,
    tls: NO_TLS,
    timeoutMs: 1_000,
    unavailableCode: 'internal_error',
    identity: identityOf('gateway'),
  });
  const call = () => client.authenticate({ secret: 'sar_x' }, { requestId: 'req_test' });
  try {
    await expect
      .poll(async () => {
        await call();
        return Math.min(...answered);
      })
      .toBeGreaterThan(10);
    await copies[0]!.server.stop();
    const before = answered[1]!;
    for (let i = 0; i < 50; i++) await call();
    expect(answered[1]).toBe(before + 50);
  } finally {
    client.close();
  }
});

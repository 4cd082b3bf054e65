import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pino } from 'pino';
import { GrpcServer } from '#platform/grpc/server.ts';
import { createHealthClient, isServing } from '#platform/grpc/client.ts';
import { connectNats, type Nats } from '#platform/nats/connection.ts';
import { NO_TLS, SERVER_CONFIG } from '#support/processes/service-process.ts';
import { HANGS_AFTER_MS } from '#support/hangs.ts';
import { PrivateServer } from '#support/servers/private-server.ts';
import { TcpProxy } from '#support/servers/tcp-proxy.ts';

/** Longer than the deadline of callers plus the time that a connection may be silent. */
const USABLE_WITHIN = { timeout: HANGS_AFTER_MS, interval: 250 };
const log = pino({ level: 'silent' });

let nats: PrivateServer;
let toNats: TcpProxy;
let connected: Nats;
let grpc: GrpcServer;
let toGrpc: TcpProxy;

beforeAll(async () => {
  nats = await PrivateServer.nats();
  toNats = await TcpProxy.start(nats.url);
  connected = await connectNats(toNats.url, 'gateway', log);
  grpc = new GrpcServer({ service: 'test', config: SERVER_CONFIG, log });
  toGrpc = await TcpProxy.start(`tcp://127.0.0.1:${await grpc.listen()}`);
});
afterAll(async () => {
  await connected?.connection.close();
  await grpc?.stop();
  for (const proxy of [toNats, toGrpc]) proxy?.stop();
  await nats?.remove();
});

test('a silent NATS connection is replaced, and its subscriptions still receive messages', async () => {
  const { connection } = connected;
  const heard: string[] = [];
  const callback = (_: unknown, { subject }: { subject: string }) => void heard.push(subject);
  connection.subscribe('keys.changed', { callback });
  await connection.flush();
  toNats.silence();
  const other = await connectNats(nats.url, 'keys', log);
  try {
    const arrives = async () => {
      other.connection.publish('keys.changed');
      await other.connection.flush();
      await sleep(50);
      return heard.length > 0;
    };
    await expect.poll(arrives, USABLE_WITHIN).toBe(true);
  } finally {
    await other.connection.close();
  }
});

test('a silent gRPC connection is replaced', async () => {
  const { host } = new URL(toGrpc.url);
  const options = { unavailableCode: 'internal_error', timeoutMs: 1_000, tls: NO_TLS } as const;
  const client = createHealthClient({ address: host, ...options });
  const ask = () => isServing(client, { requestId: 'req_test' });
  try {
    expect(await ask()).toBe(true);
    toGrpc.silence();
    await expect(ask()).rejects.toMatchObject({ code: 'internal_error' });
    await expect.poll(() => ask().catch(String), USABLE_WITHIN).toBe(true);
  } finally {
    client.close();
  }
});

import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { jetstream, jetstreamManager, StorageType } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  startNatsServer,
  STORES_ALLOWANCE_MS,
  STORES_RESPOND_MS,
  STORES_PAUSE_MS,
  type NatsOptions,
} from './nats-server.ts';
import { freePort } from '../state/ports.ts';
import type { RunningServer } from './embedded-server.ts';

const LOGIN = { user: 'saring', password: 'only-for-this-test' };

let options: NatsOptions;
let server: RunningServer;

beforeAll(async () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'saring-nats-'));
  options = { dir, port: await freePort(), users: [LOGIN] };
  server = await startNatsServer(options);
});

afterAll(async () => {
  await server.stop();
  rmSync(options.dir, { recursive: true, force: true });
});

const client = (password = LOGIN.password): Promise<NatsConnection> =>
  connect({ servers: `127.0.0.1:${options.port}`, user: LOGIN.user, pass: password, reconnect: false });

test('a server that stores nothing is restarted early in the 30 s that the documents promise after a full disk', () => {
  expect(STORES_ALLOWANCE_MS + 2 * (STORES_PAUSE_MS + STORES_RESPOND_MS)).toBeLessThan(15_000);
});

test('messages acknowledged before a kill -9 survive it', async () => {
  const before = await client();
  await (
    await jetstreamManager(before)
  ).streams.add({ name: 'S', subjects: ['s'], storage: StorageType.File });
  const publisher = jetstream(before);
  await Promise.all(Array.from({ length: 500 }, (_, index) => publisher.publish('s', String(index))));
  process.kill(server.pid, 'SIGKILL');
  expect(await server.exited).toMatchObject({ signal: 'SIGKILL' });
  await before.close();

  server = await startNatsServer(options);
  const after = await client();
  expect((await (await jetstreamManager(after)).streams.info('S')).state.messages).toBe(500);
  await after.close();
});

test('the maximum message size is at least 7 MB', async () => {
  const connection = await client();
  expect(connection.info?.max_payload).toBeGreaterThanOrEqual(7 * 1024 * 1024);
  await connection.close();
});

test('a wrong password is refused, and the file with the passwords is private', async () => {
  await expect(client('wrong')).rejects.toThrow(/authorization/i);
  expect(statSync(path.join(options.dir, 'nats.conf')).mode & 0o777).toBe(0o600);
});

test('a port in use is reported; the server that holds it is not mistaken for the own one', async () => {
  await expect(startNatsServer({ ...options, dir: path.join(options.dir, 'second') })).rejects.toThrow(
    `NATS cannot listen on 127.0.0.1:${options.port} (EADDRINUSE)`,
  );
});

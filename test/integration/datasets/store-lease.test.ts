import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, nanos, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SharedLease } from '#services/market-data/store/store-lease.ts';
import { createLogger } from '#platform/operations/logger.ts';
import { natsOptions } from '#platform/nats/connection.ts';
import { declareStreams } from '#platform/nats/streams.ts';
import { subjects } from '#platform/nats/subjects.ts';
import { PrivateServer } from '#support/servers/private-server.ts';

let server: PrivateServer;
let connection: NatsConnection;
let lease: SharedLease;
beforeAll(async () => {
  server = await PrivateServer.nats();
  connection = await connect(natsOptions(server.url, 'test'));
  const nats = { js: jetstream(connection), jsm: await jetstreamManager(connection) };
  await declareStreams(nats.jsm, 'market-data', 1);
  lease = new SharedLease({ ...nats, log: createLogger('test', 'silent') });
});
afterAll(async () => {
  await connection?.close();
  await server?.remove();
});

async function lastMessage() {
  const { streams } = await jetstreamManager(connection);
  return (await streams.getMessage('DATASET_TURNS', { last_by_subj: subjects.datasetLease }))!;
}

/** Publishes the message of the lock with these changes; returns its sequence. */
async function publishBehindTheHolder(change: object): Promise<number> {
  const held = (await lastMessage()).json<object>();
  const message = JSON.stringify({ ...held, ...change });
  return (await jetstream(connection).publish(subjects.datasetLease, message)).seq;
}

test('a renewal whose acknowledgement was lost does not take the lock from its holder', async () => {
  await lease.during('an import', async (lost) => {
    const stored = await publishBehindTheHolder({});
    await expect.poll(async () => (await lastMessage()).seq).toBeGreaterThan(stored);
    expect(lost.aborted).toBe(false);
  });
  expect((await lastMessage()).json()).toMatchObject({ what: '' });
});

test('the lock is lost as soon as another copy holds it', async () => {
  await lease.during('an import', async (lost) => {
    await publishBehindTheHolder({ start: 'another' });
    await expect.poll(() => lost.aborted).toBe(true);
    expect((lost.reason as Error).message).toMatch('Another replica');
  });
  expect((await lastMessage()).json()).toMatchObject({ what: 'an import', start: 'another' });
});

test('the lock of a holder that is gone is taken over, though its message says that it lasts for two hours more', async () => {
  await lease.during('an import', async () => {});
  const { streams } = await jetstreamManager(connection);
  await streams.update('DATASET_TURNS', { max_age: nanos(2 * 3_600_000) });
  const left = await publishBehindTheHolder({ what: 'an import', host: 'elsewhere' });
  await lease.during('another import', async () => {
    expect((await lastMessage()).json()).toMatchObject({ what: 'another import' });
  });
  expect((await lastMessage()).seq).toBeGreaterThan(left);
});

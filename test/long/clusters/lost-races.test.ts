import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { natsOptions } from '#platform/nats/connection.ts';
import { publishOnce } from '#platform/nats/publish-once.ts';
import { NatsCluster } from '#support/servers/nats-cluster.ts';

const SUBJECTS = 150;

let cluster: NatsCluster;
beforeAll(async () => {
  cluster = await NatsCluster.start();
});
afterAll(() => cluster?.remove());

test('of three that publish the only message of a subject at once on three replicas, one has, and the others know that they have not', async () => {
  const urls = cluster.urls.split(',');
  const connections = await Promise.all(urls.map((url) => connect(natsOptions(url, 'test'))));
  const publishers = await Promise.all(
    connections.map(async (connection) => ({
      js: jetstream(connection),
      jsm: await jetstreamManager(connection, { checkAPI: false }),
    })),
  );
  const stream = { name: 'RACES', subjects: ['races.*'], num_replicas: 3 };
  const declared = () => publishers[0]!.jsm.streams.add(stream).then(() => true);
  await expect.poll(() => declared().catch(() => false)).toBe(true);
  // The nodes learn one after the other who leads the stream. Until then a node has nobody to publish to.
  for (const [publisher, { js }] of publishers.entries())
    await expect
      .poll(() => js.publish(`races.reached-by-${publisher}`).then(Boolean, () => false))
      .toBe(true);
  for (let number = 0; number < SUBJECTS; number++) {
    const ours = await Promise.all(
      publishers.map((nats, publisher) =>
        publishOnce(nats, {
          stream: stream.name,
          subject: `races.${number}`,
          message: Buffer.from('first'),
          publisher: String(publisher),
          timeoutMs: 10_000,
        }),
      ),
    );
    expect(ours.toSorted(), `subject ${number}`).toEqual([false, false, true]);
  }
  await Promise.all(connections.map((connection) => connection.close()));
});

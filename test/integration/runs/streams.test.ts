import { DiscardPolicy, jetstream, jetstreamManager, RetentionPolicy, StorageType } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { expect, test } from 'vitest';
import { natsOptions } from '#platform/nats/connection.ts';
import { ARTEFACT_CEILING_BYTES, declareStreams, RESULT_CEILING_BYTES } from '#platform/nats/streams.ts';
import { subjects } from '#platform/nats/subjects.ts';
import { ownServers } from '#support/servers/servers.ts';

const servers = ownServers();

test('results stay below their memory ceiling by dropping the oldest, even in an existing stream', async () => {
  const connection = await connect(natsOptions(servers.natsUrl, 'test'));
  const jsm = await jetstreamManager(connection);
  await jsm.streams.add({ name: 'RESULTS', subjects: ['results.*'], storage: StorageType.Memory });
  for (const _ of ['declared', 'declared again']) await declareStreams(jsm, 'models', 1);
  const { config } = await jsm.streams.info('RESULTS');
  expect(config).toMatchObject({
    max_bytes: RESULT_CEILING_BYTES,
    max_msgs: 550,
    max_msgs_per_subject: 1,
    discard: DiscardPolicy.Old,
    storage: StorageType.Memory,
  });
  expect(RESULT_CEILING_BYTES).toBeLessThanOrEqual(300e6);
  await connection.close();
});

test('trained models outlive results, one per run, below a ceiling of their own', async () => {
  const connection = await connect(natsOptions(servers.natsUrl, 'test'));
  const jsm = await jetstreamManager(connection);
  await declareStreams(jsm, 'models', 1);
  const [results, artefacts] = [await jsm.streams.info('RESULTS'), await jsm.streams.info('ARTEFACTS')];
  expect(artefacts.config).toMatchObject({
    max_bytes: ARTEFACT_CEILING_BYTES,
    max_msgs: results.config.max_msgs,
    max_msgs_per_subject: 1,
    discard: DiscardPolicy.Old,
    storage: StorageType.Memory,
  });
  expect(artefacts.config.max_age).toBeGreaterThan(results.config.max_age);
  expect(ARTEFACT_CEILING_BYTES).toBeLessThanOrEqual(150e6);
  await connection.close();
});

test('days of a backfill that an earlier version requested stay in the stream after an upgrade', async () => {
  const connection = await connect(natsOptions(servers.natsUrl, 'test'));
  const jsm = await jetstreamManager(connection);
  await jsm.streams.delete('BACKFILLS');
  const retention = RetentionPolicy.Workqueue;
  await jsm.streams.add({ name: 'BACKFILLS', subjects: ['backfills.*'], retention });
  await jetstream(connection).publish(subjects.earlierBackfillDays('bf_1'), 'a day');
  await declareStreams(jsm, 'models', 1);
  await jetstream(connection).publish(subjects.backfillDay('bf_1', '2024-06-28'), 'a day');
  expect((await jsm.streams.info('BACKFILLS')).state.messages).toBe(2);
  await connection.close();
});

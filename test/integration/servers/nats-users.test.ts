import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect, PermissionViolationError, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '#local/state/ports.ts';
import type { RunningServer } from '#local/servers/embedded-server.ts';
import { serviceUsers, startNatsServer } from '#local/servers/nats-server.ts';
import { createLogger } from '#platform/operations/logger.ts';
import { connectNats, natsOptions } from '#platform/nats/connection.ts';
import { NATS_SERVICES, type NatsService } from '#platform/nats/permissions.ts';
import { HANGS_AFTER_MS } from '#support/hangs.ts';
import { secretsBy } from '#support/servers/private-server.ts';

const log = createLogger('test', 'silent');
const passwords = secretsBy(NATS_SERVICES);
const STREAMS = [
  'RUNS',
  'RUN_EVENTS',
  'RESULTS',
  'ARTEFACTS',
  'LESSONS',
  'BACKFILLS',
  'BACKFILL_PAGES',
  'DATASETS',
  'USAGE',
  'SCREEN_RUNS',
  'STORAGE_PROBES',
];

let dir: string;
let server: RunningServer;
const connections = {} as Record<NatsService, NatsConnection>;

const urlOf = (service: NatsService) => `nats://${service}:${passwords[service]}@127.0.0.1:${server.port}`;

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'saring-nats-users-'));
  server = await startNatsServer({ dir, port: await freePort(), users: serviceUsers(passwords) });
  for (const service of NATS_SERVICES)
    connections[service] = (await connectNats(urlOf(service), service, log)).connection;
});
afterAll(async () => {
  for (const connection of Object.values(connections)) await connection.close();
  await server?.stop();
  await rm(dir, { recursive: true, force: true });
});

/** Whether the server lets the service send to this subject. The response does not matter. */
async function maySend(service: NatsService, subject: string): Promise<boolean> {
  try {
    await connections[service].request(subject, 'no request at all', { timeout: HANGS_AFTER_MS });
    return true;
  } catch (error) {
    const { cause } = error as Error;
    const refusal = [error, cause].find((one) => one instanceof PermissionViolationError);
    if (refusal) expect(refusal.operation).toBe('publish');
    else expect((error as Error).message).toContain('no responders');
    return refusal === undefined;
  }
}

async function mayListen(service: NatsService, subject: string): Promise<boolean> {
  const subscription = connections[service].subscribe(subject, { callback: () => {} });
  await connections[service].flush();
  const isRefused = subscription.isClosed();
  subscription.unsubscribe();
  return !isRefused;
}

async function allowed(question: (service: NatsService) => Promise<boolean>): Promise<NatsService[]> {
  const responses = await Promise.all(NATS_SERVICES.map(question));
  return NATS_SERVICES.filter((_, index) => responses[index]);
}

describe('only the listed services may publish and subscribe to', () => {
  const NOBODY: NatsService[] = [];
  test.each<[subject: string, publish: NatsService[], subscribe: NatsService[]]>([
    ['runs.recovery_v4.job_1', ['models'], NOBODY],
    ['run_events.job_1.started', ['models', 'model-worker'], NOBODY],
    ['run_events.job_1.finished', ['models', 'model-worker'], NOBODY],
    ['run_events.job_1.other', NOBODY, NOBODY],
    ['results.job_1', ['model-worker'], NOBODY],
    ['artefacts.job_1', ['model-worker'], NOBODY],
    ['lessons.f00d', ['model-worker'], NOBODY],
    ['backfills.bf_1.2024-06-28', ['models', 'model-worker'], NOBODY],
    // Earlier versions request and put back days here.
    ['backfills.bf_1', ['models', 'model-worker'], NOBODY],
    ['backfill_pages.bf_1', ['model-worker'], NOBODY],
    ['usage.succeeded', ['models'], NOBODY],
    ['storage_probes.models', ['models'], NOBODY],
    ['storage_probes.usage', NOBODY, NOBODY],
    ['datasets.served', ['market-data'], NOBODY],
    ['heartbeats.runs', ['models', 'model-worker'], ['models', 'model-worker']],
    ['heartbeats.feeds', ['feed'], ['market-data']],
    ['changed.job', ['models'], ['models']],
    ['cancelled.run', ['models'], ['model-worker']],
    ['changed.key', ['keys'], ['keys', 'gateway']],
    ['changed.dataset', ['market-data'], ['market-data', 'model-worker']],
    ['changed.other', NOBODY, NOBODY],
    ['other', NOBODY, NOBODY],
  ])('%s', async (subject, publish, subscribe) => {
    expect(await allowed((service) => maySend(service, subject))).toEqual(publish);
    expect(await allowed((service) => mayListen(service, subject))).toEqual(subscribe);
  });
});

test.each(NATS_SERVICES)(
  'replies to %s can be received by it alone, and sent directly by nobody',
  async (service) => {
    const inbox = `_INBOX.${service}.answers`;
    expect(await allowed((other) => mayListen(other, inbox))).toEqual([service]);
    expect(await allowed((other) => maySend(other, inbox))).toEqual([]);
  },
);

test.each(['>', '*.>', '_INBOX.>', '_INBOX.*.*', 'runs.>', 'usage.>', '$JS.>', '$SYS.>', '$JS.API.>'])(
  'nobody can subscribe to all of %s',
  async (subject) => {
    expect(await allowed((service) => mayListen(service, subject))).toEqual([]);
  },
);

describe('JetStream calls are allowed only to the listed services:', () => {
  const NOBODY: Partial<Record<string, NatsService[]>> = {};
  const owners = (of: (stream: string) => string | undefined) =>
    Object.fromEntries(STREAMS.map((stream) => [stream, [of(stream)].filter((one) => one !== undefined)]));
  test.each<[call: string, allowedOn: Partial<Record<string, string[]>>]>([
    ['STREAM.CREATE.@', owners((stream) => (stream === 'DATASETS' ? 'market-data' : 'models'))],
    // A service that can change a stream could copy any other stream into it.
    ['STREAM.UPDATE.@', owners((stream) => (stream === 'DATASETS' ? undefined : 'models'))],
    ['STREAM.INFO.@', { RESULTS: ['models'], USAGE: ['models'], RUNS: ['models'], BACKFILLS: ['models'] }],
    ['STREAM.MSG.GET.@', { RUN_EVENTS: ['models', 'model-worker'], DATASETS: ['market-data'] }],
    ['DIRECT.GET.@', NOBODY],
    ['DIRECT.GET.@.results.job_1', { RESULTS: ['models'] }],
    ['DIRECT.GET.@.artefacts.job_1', { ARTEFACTS: ['models'] }],
    ['DIRECT.GET.@.lessons.f00d', { LESSONS: ['model-worker'] }],
    ['STREAM.PURGE.@', { BACKFILLS: ['models'], RESULTS: ['models'], ARTEFACTS: ['models'] }],
    ['STREAM.DELETE.@', NOBODY],
    ['STREAM.MSG.DELETE.@', NOBODY],
    ['STREAM.SNAPSHOT.@', NOBODY],
    ['STREAM.RESTORE.@', NOBODY],
    ['STREAM.LEADER.STEPDOWN.@', NOBODY],
    ['CONSUMER.CREATE.@.workers', { RUNS: ['model-worker'], BACKFILLS: ['model-worker'] }],
    ['CONSUMER.CREATE.@.models', { RUN_EVENTS: ['models'], BACKFILL_PAGES: ['models'] }],
    ['CONSUMER.CREATE.@.usage', { USAGE: ['usage'], SCREEN_RUNS: ['usage'] }],
    ['CONSUMER.CREATE.@.workers.other', NOBODY],
    ['CONSUMER.CREATE.@', NOBODY],
    ['CONSUMER.CREATE.@.other', NOBODY],
    ['CONSUMER.DURABLE.CREATE.@.workers', NOBODY],
    ['CONSUMER.MSG.NEXT.@.workers', { RUNS: ['model-worker'], BACKFILLS: ['model-worker'] }],
    ['CONSUMER.MSG.NEXT.@.usage', { USAGE: ['usage'], SCREEN_RUNS: ['usage'] }],
    ['CONSUMER.DELETE.@.workers', NOBODY],
    ['CONSUMER.DELETE.@.models', NOBODY],
    ['CONSUMER.DELETE.@.usage', NOBODY],
    ['CONSUMER.PAUSE.@.usage', NOBODY],
    ['CONSUMER.LIST.@', NOBODY],
    ['CONSUMER.NAMES.@', NOBODY],
  ])('%s', async (call, allowedOn) => {
    for (const stream of STREAMS) {
      const subject = `$JS.API.${call.replace('@', stream)}`;
      const may = await allowed((service) => maySend(service, subject));
      expect({ stream, may }).toEqual({ stream, may: allowedOn[stream] ?? [] });
    }
  });

  test.each(['INFO', 'STREAM.LIST', 'STREAM.NAMES', 'ACCOUNT.PURGE.$G', 'SERVER.REMOVE'])(
    'nobody may call %s',
    async (call) => {
      expect(await allowed((service) => maySend(service, `$JS.API.${call}`))).toEqual([]);
    },
  );

  test('only the service of a consumer can acknowledge its messages', async () => {
    const acks = { RUNS: 'workers', RUN_EVENTS: 'models', USAGE: 'usage', SCREEN_RUNS: 'usage' };
    const may = await Promise.all(
      Object.entries(acks).map(([stream, consumer]) =>
        allowed((service) => mayPublish(service, `$JS.ACK.${stream}.${consumer}.1.1.1.1.0`)),
      ),
    );
    expect(may).toEqual([['model-worker'], ['models'], ['usage'], ['usage']]);
  });
});

/** Whether the service may publish to a subject on which no server replies. */
async function mayPublish(service: NatsService, subject: string): Promise<boolean> {
  const connection = await connect(natsOptions(urlOf(service), service));
  let isRefused = false;
  const watching = (async () => {
    for await (const status of connection.status())
      isRefused ||= status.type === 'error' && status.error instanceof PermissionViolationError;
  })();
  connection.publish(subject);
  await connection.flush();
  await connection.close();
  await watching;
  return !isRefused;
}

test('nobody can connect without a password, or as another user with their own', async () => {
  const { port } = server;
  const logins = [{}, { user: 'models' }, { user: 'models', pass: passwords.gateway }];
  for (const login of logins)
    await expect(connect({ servers: `127.0.0.1:${port}`, ...login, reconnect: false })).rejects.toThrow(
      /authorization/i,
    );
});

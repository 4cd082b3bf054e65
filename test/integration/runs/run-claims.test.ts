import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { RunFinished, RunStarted } from '#proto/saring/events/v1/runs.ts';
import { RunClaims } from '#services/model-worker/run-claims.ts';
import { RunReports } from '#services/model-worker/run-reports.ts';
import { systemClock } from '#foundation/clock.ts';
import { randomId } from '#foundation/ids.ts';
import { createLogger } from '#platform/operations/logger.ts';
import { natsOptions, type Nats } from '#platform/nats/connection.ts';
import { publishOnce } from '#platform/nats/publish-once.ts';
import { listenForRuns } from '#shared/life-signs/run-life-signs.ts';
import { declareStreams } from '#platform/nats/streams.ts';
import { subjects } from '#platform/nats/subjects.ts';
import { NatsCluster } from '#support/servers/nats-cluster.ts';
import { PrivateServer } from '#support/servers/private-server.ts';
import { IN_TIME } from '#support/hangs.ts';

const WORKER = 'worker_test';
const START = new Date('2024-06-28T10:00:00Z');
const never = new AbortController().signal;

interface Stage {
  url: string;
  replicas: number;
  remove: () => Promise<unknown>;
}

async function oneServer(): Promise<Stage> {
  const server = await PrivateServer.nats();
  return { url: server.url, replicas: 1, remove: () => server.remove() };
}

async function threeServers(): Promise<Stage> {
  const cluster = await NatsCluster.start();
  return { url: cluster.urls, replicas: 3, remove: () => cluster.remove() };
}

describe.each([
  ['on one server', oneServer],
  ['on three replicas', threeServers],
])('%s', (_, start) => {
  let stage: Stage;
  let nats: Nats;
  beforeAll(async () => {
    stage = await start();
    const connection = await connect(natsOptions(stage.url, 'test'));
    // A new cluster first elects a leader.
    await vi.waitFor(async () => {
      nats = { connection, js: jetstream(connection), jsm: await jetstreamManager(connection) };
      await declareStreams(nats.jsm, 'models', stage.replicas);
    }, IN_TIME);
  });
  afterAll(async () => {
    await nats?.connection.close();
    await stage?.remove();
  });

  /** Claims as another start of the process would; a worker of the same id has published before when `published` is set. */
  async function claimsOf(workerId: string) {
    const listener = listenForRuns(nats.connection, workerId);
    const log = createLogger('test', 'silent');
    return { claims: new RunClaims({ nats, listener, workerId, log }), stop: () => listener.stop() };
  }

  /** The stream has stored the start, and its acknowledgement was lost. */
  async function storeStart(jobId: string, workerId: string): Promise<void> {
    const event: RunStarted = { job_id: jobId, worker_id: workerId, started_at: START };
    const isFirst = await publishOnce(nats, {
      stream: 'RUN_EVENTS',
      subject: subjects.runStarted(jobId),
      message: RunStarted.encode(event).finish(),
      publisher: workerId,
      timeoutMs: 5_000,
    });
    expect(isFirst).toBe(true);
  }

  test('a claim whose acknowledgement was lost is still this worker’s', async () => {
    const jobId = randomId('job');
    await storeStart(jobId, WORKER);
    const { claims, stop } = await claimsOf(WORKER);
    expect(await claims.claim(jobId, START, never)).toBe(true);
    stop();
  });

  test('a job that another worker claimed, or that this one has already run, is not taken', async () => {
    const [taken, run] = [randomId('job'), randomId('job')];
    await storeStart(taken, 'worker_other');
    const { claims, stop } = await claimsOf(WORKER);
    expect(await claims.claim(taken, START, never)).toBe(false);
    expect(await claims.claim(run, START, never)).toBe(true);
    expect(await claims.claim(run, START, never)).toBe(false);
    stop();
  });

  test('a refusal for a message that has gone meanwhile says nothing of its publisher', async () => {
    const jobId = randomId('job');
    const subject = subjects.runStarted(jobId);
    await storeStart(jobId, 'worker_other');
    const js = Object.create(nats.js) as Nats['js'];
    js.publish = (...message) =>
      nats.js.publish(...message).catch(async (error: unknown) => {
        await nats.jsm.streams.purge('RUN_EVENTS', { filter: subject });
        throw error;
      });
    const start = {
      stream: 'RUN_EVENTS',
      subject,
      message: new Uint8Array(),
      publisher: WORKER,
      timeoutMs: 5_000,
    };
    const again = publishOnce({ js, jsm: nats.jsm }, start);
    await expect(again).rejects.toThrow('wrong last sequence');
    expect(await publishOnce(nats, start)).toBe(true);
  });

  test('a report whose acknowledgement was lost is published once and not taken for another end', async () => {
    const jobId = randomId('job');
    const warnings: string[] = [];
    const log = createLogger('test', 'silent');
    log.warn = ((_about: unknown, message: string) => void warnings.push(message)) as typeof log.warn;
    const reports = new RunReports({ nats, workerId: WORKER, clock: systemClock, log });
    const failed = {
      status: 'failed',
      code: 'internal_error',
      message: { id: 'gagal', en: 'failed' },
    } as const;
    for (let sent = 0; sent < 2; sent++) await reports.report({ jobId, outcome: failed }, never);
    expect(warnings).toEqual([]);
    const other = new RunReports({ nats, workerId: 'worker_other', clock: systemClock, log });
    await other.report({ jobId, outcome: { status: 'interrupted' } }, never);
    expect(warnings).toEqual(['run had already ended']);
    const stored = await nats.jsm.streams.getMessage('RUN_EVENTS', {
      last_by_subj: subjects.runFinished(jobId),
    });
    expect(RunFinished.decode(stored!.data).status).toBe('failed');
  });
});

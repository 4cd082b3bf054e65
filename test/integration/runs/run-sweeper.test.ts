import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { randomId } from '#foundation/ids.ts';
import { publicationAfter } from '#services/models/nats/publication.ts';
import { RunRequests } from '#services/models/runs/run-requests.ts';
import { Sweeper } from '#services/models/runs/sweeper.ts';
import { UsageRecords } from '#services/models/usage-records/usage-records.ts';
import { countedStream } from '#support/services/counted-stream.ts';
import { testRuns } from '#support/services/test-runs.ts';
import { IN_TIME } from '#support/hangs.ts';
import { DAY_MS } from '#foundation/iso-day.ts';

const own = testRuns();
const ago = (ms: number) => new Date(Date.now() - ms);

test('a run that can never be published does not block later ones', async () => {
  const like = await own.accept();
  // This run cannot be encoded as a message, whatever the stream.
  const broken = await own.writeOnly(like, { params: null as never, created_at: ago(60_000) });
  const later = await own.writeOnly(like, { created_at: ago(30_000) });
  await vi.waitFor(async () => {
    expect(await own.requestsOf(later)).toHaveLength(1);
    expect(await own.usageOf(later)).toHaveLength(1);
  }, IN_TIME);
  expect(await own.requestsOf(broken)).toEqual([]);
  expect(await own.usageOf(broken)).toEqual([]);
});

test('a request published later belongs to the trace of its submission', async () => {
  const like = await own.accept();
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const [traced, untraced] = [
    await own.writeOnly(like, { created_at: ago(30_000), traceparent }),
    await own.writeOnly(like, { created_at: ago(30_000) }),
  ];
  await vi.waitFor(async () => {
    expect([await own.tracesOf(traced), await own.tracesOf(untraced)]).toEqual([[traceparent], ['']]);
  }, IN_TIME);
});

test('a run without an actor is recorded under its key', async () => {
  const like = await own.accept();
  const old = await own.writeOnly(like, { actor: undefined as never, created_at: ago(30_000) });
  expect(old.actor).toBeNull();
  await vi.waitFor(async () => expect(await own.usageOf(old)).toMatchObject([{ actor: 'key_a' }]), IN_TIME);
});

test('a sweep waits for a hanging NATS once, not for every run', async () => {
  const { js, attempts } = countedStream(own.worker.js);
  const parts = { ...own.parts, js, nats: own.parts.presence };
  const [requests, usage] = [new RunRequests(parts), new UsageRecords(parts)];
  const sweeper = new Sweeper({ ...parts, requests, usage, retentionDays: 1 });
  const like = await own.accept();
  await own.natsServer.freeze();
  try {
    for (let i = 0; i < 6; i++) await own.writeOnly(like, { created_at: ago(20_000) });
    await sweeper.sweep();
    // One run could not be requested, and one not be recorded. The loss of the connection may be noticed even before.
    expect(attempts.length).toBeLessThanOrEqual(2);
  } finally {
    own.natsServer.thaw();
  }
});

test('publishing to a stream without a responder counts as an outage', async () => {
  const failure = await own.worker.js.publish('runs_of_no_stream').catch((error: unknown) => error);
  expect(publicationAfter(failure)).toBe('unavailable');
});

test('everything past its retention is removed at once, even more than one batch', async () => {
  const { params, ...like } = await own.accept();
  const aged = (finished_at: Date) => ({
    job_id: randomId('job'),
    event_id: randomId('ue'),
    api_key_id: 'key_old',
    end_user: 'alice',
    channel: like.channel,
    actor: like.actor,
    model_id: like.model_id,
    view: like.view,
    request_id: like.request_id,
    params: JSON.stringify(params),
    created_at: finished_at,
    finished_at,
    status: 'succeeded' as const,
    usage_published: 'succeeded' as const,
  });
  const rows = Array.from({ length: 500 }, () => aged(ago(2 * DAY_MS)));
  const kept = aged(ago(DAY_MS / 2));
  await own.database
    .insertInto('run')
    .values([...rows, kept])
    .execute();
  await own.sweeper.purge(new AbortController().signal);
  expect((await own.runs.newest('key_old', 100)).map((run) => run.job_id)).toEqual([kept.job_id]);
});

test('a request that waits in the stream is never stored twice, also after the stream has forgotten its id', async () => {
  const run = await own.accept();
  await vi.waitFor(async () => expect(await own.requestsOf(run)).toHaveLength(1), IN_TIME);
  const { config } = await own.worker.jsm.streams.info('RUNS');
  // The shortest window that JetStream accepts: the id is forgotten at once.
  await own.worker.jsm.streams.update('RUNS', { ...config, duplicate_window: 100_000_000 });
  await sleep(500);
  for (let round = 0; round < 3; round++) {
    await own.database
      .updateTable('run')
      .set({ requested_at: ago(60_000) })
      .where('job_id', '=', run.job_id)
      .execute();
    await own.sweeper.sweep();
  }
  expect(await own.requestsOf(run)).toHaveLength(1);
});

import type { Kysely } from 'kysely';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { randomId } from '#foundation/ids.ts';
import { createLogger } from '#platform/operations/logger.ts';
import { openPostgres } from '#platform/postgres/open-postgres.ts';
import { ownServers } from '#support/servers/servers.ts';
import { migrations } from '#services/models/store/migrations/index.ts';
import { queueOver } from '#services/models/store/run-queue.ts';
import type { ModelsTables } from '#services/models/store/tables.ts';

const servers = ownServers();
let database: Kysely<ModelsTables> | undefined;
afterAll(() => database?.destroy());

/** Every test starts with an empty table of runs. */
beforeEach(async () => {
  const log = createLogger('test', 'silent');
  database ??= await openPostgres({ url: servers.databaseUrl, schema: 'models', migrations, log });
  await database.deleteFrom('run').execute();
});

interface Moments {
  /** Seconds ago. */
  accepted: number;
  started?: number;
  ended?: number;
}

async function addRun({ accepted, started, ended }: Moments): Promise<void> {
  const ago = (seconds: number | undefined) =>
    seconds === undefined ? null : new Date(Date.now() - seconds * 1_000);
  const status = ended !== undefined ? 'succeeded' : started !== undefined ? 'running' : 'queued';
  await database!
    .insertInto('run')
    .values({
      job_id: randomId('job'),
      event_id: randomId('ue'),
      api_key_id: 'key_a',
      end_user: 'alice',
      channel: 'api',
      actor: 'key_a',
      model_id: 'confluence_filter',
      view: 'full',
      params: '{}',
      request_id: randomId('req'),
      created_at: ago(accepted)!,
      started_at: ago(started),
      finished_at: ago(ended),
      status,
    })
    .execute();
}

test('an empty queue has sixty empty points', async () => {
  const queue = await queueOver(database!, 60);
  expect(queue).toMatchObject({ queued: 0, running: 0, oldest_queued_seconds: 0 });
  expect(queue.points).toHaveLength(60);
  expect(queue.points.every(({ queued, running, accepted }) => queued + running + accepted === 0)).toBe(true);
  expect(queue.points[0]).toMatchObject({ wait_p50_seconds: undefined, duration_p95_seconds: undefined });
});

test('the last point is the current queue, including runs from before the period', async () => {
  await addRun({ accepted: 90_000 });
  await addRun({ accepted: 40 });
  await addRun({ accepted: 7_000, started: 6_900 });
  const { queued, running, oldest_queued_seconds, points } = await queueOver(database!, 60);
  expect({ queued, running }).toEqual({ queued: 2, running: 1 });
  expect(oldest_queued_seconds).toBeCloseTo(90_000, -2);
  expect(points.at(-1)).toMatchObject({ queued: 2, running: 1, accepted: 1 });
  expect(points[0]).toMatchObject({ queued: 1, running: 1 });
});

test('a run appears in its state at each point, and its times where they ended', async () => {
  // At the middle of the minutes 30, 20 and 10 minutes ago.
  await addRun({ accepted: 1_770, started: 1_170, ended: 570 });
  const { points } = await queueOver(database!, 60);
  const states = points.map(({ queued, running }) => `${queued}${running}`).join(' ');
  expect(states).toBe(
    [...Array<string>(30).fill('00'), ...Array<string>(10).fill('10'), ...Array<string>(10).fill('01')]
      .concat(Array<string>(10).fill('00'))
      .join(' '),
  );
  expect(points.findIndex(({ accepted }) => accepted === 1)).toBe(30);
  expect(points[40]!.wait_p50_seconds).toBeCloseTo(600, 0);
  expect(points[50]).toMatchObject({ ended: 1 });
  expect(points[50]!.duration_p95_seconds).toBeCloseTo(600, 0);
});

test('a run cancelled while waiting leaves the queue and has no times', async () => {
  await addRun({ accepted: 600, ended: 300 });
  const { points } = await queueOver(database!, 60);
  expect(points.map(({ queued }) => queued).reduce((a, b) => a + b)).toBe(5);
  expect(points.every(({ running, ended }) => running + ended === 0)).toBe(true);
  expect(points.every((point) => point.wait_p50_seconds === undefined)).toBe(true);
});

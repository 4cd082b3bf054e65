import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { ownRuns } from '#support/own-runs.ts';

const own = ownRuns();

/** The gateway's default deadline: whoever is answered later has read 503 already. */
const GATEWAY_WAITS_MS = 5_000;

test('a run whose caller has left before it is written is not accepted', async () => {
  const submission = own.submit({ api_key_id: 'key_left' }, AbortSignal.abort());
  await expect(submission).rejects.toMatchObject({ code: 'model_unavailable' });
  expect(await own.runs.newest('key_left', 100)).toEqual([]);
});

test('a run that the database could write only when its caller gave up is never written', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: locked, resolve: isLocked } = Promise.withResolvers<void>();
  const holding = own.database.transaction().execute(async (holder) => {
    await sql`lock table run in exclusive mode`.execute(holder);
    isLocked();
    await released;
  });
  await locked;
  const late = { api_key_id: 'key_late' };
  const repeatable = { ...late, idempotency_key: 'of a run that is never written' };
  const refused = [late, repeatable].map((submission) =>
    expect(own.submit(submission)).rejects.toMatchObject({ code: 'model_unavailable' }),
  );
  await sleep(4_000);
  release();
  await Promise.all([holding, ...refused]);
  expect(await own.runs.newest('key_late', 100)).toEqual([]);
  expect(await own.submitTo(own.runs, repeatable)).toMatchObject({ replayed: false });
});

test('a run that was written in time is answered in time, however long the database takes after that', async () => {
  await sql`create function dawdle() returns trigger language plpgsql
    as 'begin perform pg_sleep(2); return new; end'`.execute(own.database);
  await sql`create trigger dawdle before update on run for each row
    when (new.api_key_id = 'key_slow') execute function dawdle()`.execute(own.database);
  const begun = performance.now();
  const run = await own.submit({ api_key_id: 'key_slow' });
  expect(performance.now() - begun).toBeLessThan(1_500);
  const isRemembered = async () =>
    expect((await own.runs.get(run.job_id, 'key_slow')).requested_at).not.toBeNull();
  await vi.waitFor(isRemembered, { timeout: 2 * GATEWAY_WAITS_MS });
  await sql`drop function dawdle cascade`.execute(own.database);
});

test('a run accepted while NATS hangs is answered before the gateway gives up', async () => {
  await own.natsServer.freeze();
  try {
    const begun = performance.now();
    await own.accept();
    expect(performance.now() - begun).toBeLessThan(GATEWAY_WAITS_MS - 3_500);
  } finally {
    own.natsServer.thaw();
  }
});

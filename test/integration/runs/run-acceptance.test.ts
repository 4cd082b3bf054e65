import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { subjects } from '#platform/nats/subjects.ts';
import { PUBLISH_TIMEOUT_MS, RunRequests } from '#services/models/runs/run-requests.ts';
import { ACCEPT_WITHIN_MS } from '#services/models/runs/runs.ts';
import { HANGS_AFTER_MS } from '#support/hangs.ts';
import { countedStream } from '#support/services/counted-stream.ts';
import { testRuns } from '#support/services/test-runs.ts';
import { IN_TIME } from '#support/hangs.ts';
import { statementsBlocked, whileLocked } from '#support/servers/while-locked.ts';

/** A submission that waited for a blocked statement would take as long as its timeout. */
const own = testRuns({ statementTimeoutMs: 2 * HANGS_AFTER_MS });

/** The gateway's default deadline. A client that is answered later has already received 503. */
const GATEWAY_WAITS_MS = 5_000;

test('a run is never written when the database unblocks only after the deadline', async () => {
  const acceptWithinMs = 2_000;
  const runs = own.runsWith({ acceptWithinMs });
  const late = { api_key_id: 'key_late' };
  const repeatable = { ...late, idempotency_key: 'of a run that is never written' };
  const { refused } = await whileLocked(own.database, sql`lock table run in exclusive mode`, async () => {
    const refusals = [late, repeatable].map((submission) =>
      expect(own.submitTo(runs, submission)).rejects.toMatchObject({ code: 'model_unavailable' }),
    );
    await expect.poll(() => statementsBlocked(own.database, 'with "submitted" as%')).toBe(2);
    await sleep(acceptWithinMs);
    return { refused: Promise.all(refusals) };
  });
  await refused;
  expect(await own.runs.newest('key_late', 100)).toEqual([]);
  expect(await own.submitTo(own.runs, repeatable)).toMatchObject({ replayed: false });
});

test('a run written in time is answered in time, however slow the database is afterwards', async () => {
  await sql`create function pass_gate() returns trigger language plpgsql
    as 'begin perform pg_advisory_xact_lock_shared(1); return new; end'`.execute(own.database);
  await sql`create trigger gate before update on run for each row
    when (new.api_key_id = 'key_slow') execute function pass_gate()`.execute(own.database);
  const requestedAt = async (jobId: string) => (await own.runs.get(jobId, 'key_slow')).requested_at;
  const { job_id } = await whileLocked(own.database, sql`select pg_advisory_xact_lock(1)`, async () => {
    const begun = performance.now();
    const run = await own.submit({ api_key_id: 'key_slow' });
    expect(performance.now() - begun).toBeLessThan(HANGS_AFTER_MS);
    expect(await requestedAt(run.job_id)).toBeNull();
    return run;
  });
  await vi.waitFor(async () => expect(await requestedAt(job_id)).not.toBeNull(), IN_TIME);
  await sql`drop function pass_gate cascade`.execute(own.database);
});

test('a run accepted while NATS hangs is answered before the gateway times out', async () => {
  const { js, attempts } = countedStream(own.worker.js);
  const requests = new RunRequests({ ...own.parts, js, nats: own.parts.presence });
  await own.natsServer.freeze();
  try {
    const begun = performance.now();
    const { run } = await own.submitTo(own.runsWith({ turns: requests }));
    expect(performance.now() - begun).toBeLessThan(HANGS_AFTER_MS);
    const subject = subjects.quickRun(run.model_id, run.job_id);
    expect(attempts).toEqual([{ subject, timeoutMs: PUBLISH_TIMEOUT_MS }]);
    expect(ACCEPT_WITHIN_MS + PUBLISH_TIMEOUT_MS).toBeLessThan(GATEWAY_WAITS_MS - 500);
  } finally {
    own.natsServer.thaw();
  }
});

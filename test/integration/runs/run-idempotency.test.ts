import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { AcceptedRun, Submission } from '#services/models/runs.ts';
import { randomId } from '#shared/ids.ts';
import { testRuns } from '#support/services/test-runs.ts';
import { IN_TIME } from '#support/services/run-streams.ts';
import { statementsBlocked, whileLocked } from '#support/servers/while-locked.ts';

const own = testRuns();

const newKey = () => ({ idempotency_key: randomId('req'), api_key_id: randomId('key') });
const submit = (change: Partial<Submission>, signal?: AbortSignal) => own.submitTo(own.runs, change, signal);
const submitToOther = (change: Partial<Submission>) => own.submitTo(own.otherRuns, change);
const runsOf = ({ api_key_id }: { api_key_id: string }) => own.runs.newest(api_key_id, 100);
const jobIdOf = ({ run }: AcceptedRun) => run.job_id;
const CONFLICT = { code: 'idempotency_conflict' };
const INSERTS_RUN = 'with "submitted" as%';
const UNAVAILABLE = { code: 'model_unavailable' };

/** Makes the key this many hours old. */
const age = ({ idempotency_key }: { idempotency_key: string }, hours: number) =>
  own.database
    .updateTable('idempotency_key')
    .set({ created_at: new Date(Date.now() - hours * 3_600_000) })
    .where('key', '=', idempotency_key)
    .execute();

/** Waits until this many statements that write a run are in progress. */
const untilWriting = (count: number) =>
  expect.poll(() => statementsBlocked(own.database, INSERTS_RUN), IN_TIME).toBe(count);

/** During the work, statements that write a run wait after they have written the row and taken their key. */
async function whileWritten<T>(work: () => Promise<T>): Promise<T> {
  await sql`create function pass_gate() returns trigger language plpgsql
    as 'begin perform pg_advisory_xact_lock_shared(1); return new; end'`.execute(own.database);
  await sql`create trigger gate after insert on run for each row execute function pass_gate()`.execute(
    own.database,
  );
  try {
    return await whileLocked(own.database, sql`select pg_advisory_xact_lock(1)`, work);
  } finally {
    await sql`drop function pass_gate cascade`.execute(own.database);
  }
}

describe('the same submission with the same key', () => {
  test('returns the run of the first one in its current state and marks the replay', async () => {
    const key = newKey();
    const first = await submit(key);
    expect(first).toMatchObject({ replayed: false, run: { status: 'queued' } });
    await own.reportEnd(first.run, 'succeeded');
    await expect
      .poll(() => submitToOther({ ...key, request_id: 'req_2' }), IN_TIME)
      .toMatchObject({
        replayed: true,
        run: { job_id: first.run.job_id, status: 'succeeded', request_id: 'req_1' },
      });
    expect(await runsOf(key)).toHaveLength(1);
    expect(await own.requestsOf(first.run)).toHaveLength(1);
  });

  test('is recognised with reordered parameters, and with missing or empty ones', async () => {
    const [ordered, empty] = [newKey(), newKey()];
    const first = await submit({ ...ordered, params: { lookback: 3, min_signals: 1 } });
    const again = await submit({ ...ordered, params: { min_signals: 1, lookback: 3 } });
    expect([jobIdOf(again), again.replayed]).toEqual([jobIdOf(first), true]);
    const bare = await submit({ ...empty, params: undefined });
    expect(jobIdOf(await submit({ ...empty, params: {} }))).toBe(jobIdOf(bare));
  });

  test('starts another run for another API key', async () => {
    const key = newKey();
    const [mine, theirs] = [await submit(key), await submit({ ...key, api_key_id: randomId('key') })];
    expect(theirs.replayed).toBe(false);
    expect(jobIdOf(theirs)).not.toBe(jobIdOf(mine));
  });

  test('starts another run in another channel', async () => {
    const key = newKey();
    const scheduled = { ...key, channel: 'scheduled', end_user: 'newsletter' };
    const [mine, theirs] = [await submit(key), await submit(scheduled)];
    expect(theirs).toMatchObject({ replayed: false, run: { channel: 'scheduled' } });
    expect(jobIdOf(await submitToOther(key))).toBe(jobIdOf(mine));
    expect(jobIdOf(await submitToOther(scheduled))).toBe(jobIdOf(theirs));
  });

  test('starts one run if both arrive at once at any process, and both return it', async () => {
    for (let round = 0; round < 10; round++) {
      const key = newKey();
      const responses = await Promise.all(
        [submit, submitToOther, submit, submitToOther].map((to) => to(key)),
      );
      expect(new Set(responses.map(jobIdOf)).size).toBe(1);
      expect(responses.filter(({ replayed }) => !replayed)).toHaveLength(1);
      expect(await runsOf(key)).toHaveLength(1);
    }
  });
});

const RECOVERY = { model_id: 'recovery_v4', params: {} };

test.each<[string, Partial<Submission>, Partial<Submission>]>([
  ['model', {}, { model_id: 'regime_adaptive_v6', params: {} }],
  ['value of a parameter', {}, { params: { lookback: 4 } }],
  ['view', RECOVERY, { ...RECOVERY, view: 'compact' }],
  ['end user', {}, { end_user: 'bob' }],
  ['trading day', {}, { trading_day: '2026-09-30' }],
])('another %s with the same key is a conflict and starts no run', async (_name, first, other) => {
  const key = newKey();
  await submit({ ...key, ...first });
  await expect(submitToOther({ ...key, ...other })).rejects.toMatchObject(CONFLICT);
  expect(await runsOf(key)).toHaveLength(1);
});

test('each key starts one run, whatever is submitted concurrently to either process', async () => {
  const submission = fc.record({
    idempotency_key: fc.constantFrom('first', 'second'),
    params: fc.constantFrom({ lookback: 2 }, { lookback: 3 }),
    toOther: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(submission, { minLength: 2, maxLength: 6 }), async (submissions) => {
      const api_key_id = randomId('key');
      const responses = await Promise.allSettled(
        submissions.map(({ toOther, ...request }) =>
          (toOther ? submitToOther : submit)({ ...request, api_key_id }),
        ),
      );
      const runs = new Map((await runsOf({ api_key_id })).map((run) => [run.job_id, run]));
      expect(runs.size).toBe(new Set(submissions.map((request) => request.idempotency_key)).size);
      for (const [i, response] of responses.entries()) {
        if (response.status === 'rejected') expect(response.reason).toMatchObject(CONFLICT);
        else expect(runs.get(jobIdOf(response.value))!.params).toMatchObject(submissions[i]!.params);
      }
      const isFirst = (response: (typeof responses)[number]) =>
        response.status === 'fulfilled' && !response.value.replayed;
      expect(responses.filter(isFirst)).toHaveLength(runs.size);
    }),
    { numRuns: 25 },
  );
});

describe('a key is not used up', () => {
  test('by a refused submission', async () => {
    const key = newKey();
    await expect(submit({ ...key, params: { lookback: 0 } })).rejects.toMatchObject({
      code: 'invalid_request',
    });
    expect(await submit(key)).toMatchObject({ replayed: false });
  });

  test('by a submission whose caller left before the write', async () => {
    const key = newKey();
    const late = submit({ ...key, end_user: 'late' }, AbortSignal.abort());
    await expect(late).rejects.toMatchObject(UNAVAILABLE);
    expect(await submit(key)).toMatchObject({ replayed: false });
    expect(await runsOf(key)).toHaveLength(1);
  });

  test('for more than 24 hours; then one of two concurrent submissions uses it again', async () => {
    const key = newKey();
    const first = await submit(key);
    await age(key, 23.9);
    expect(jobIdOf(await submit(key))).toBe(jobIdOf(first));
    await age(key, 24.1);
    const again = await Promise.all([
      submit({ ...key, end_user: 'bob' }),
      submitToOther({ ...key, end_user: 'bob' }),
    ]);
    expect(again.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(new Set(again.map(jobIdOf)).size).toBe(1);
    expect(await runsOf(key)).toHaveLength(2);
  });
});

describe('a closed key', () => {
  const closeIn = (runs: typeof own.runs, { idempotency_key, api_key_id }: ReturnType<typeof newKey>) =>
    runs.closeKey({ api_key_id, channel: 'api', key: idempotency_key });

  test('starts no run in any process, and may be closed again', async () => {
    const key = newKey();
    expect(await closeIn(own.runs, key)).toBeUndefined();
    expect(await closeIn(own.otherRuns, key)).toBeUndefined();
    for (const to of [submit, submitToOther]) await expect(to(key)).rejects.toMatchObject(UNAVAILABLE);
    expect(await runsOf(key)).toEqual([]);
    expect((await submit({ ...key, channel: 'scheduled' })).replayed).toBe(false);
  });

  test('keeps the run it had started and still returns it', async () => {
    const key = newKey();
    const first = await submit(key);
    expect(await closeIn(own.otherRuns, key)).toBe(jobIdOf(first));
    expect(await submit(key)).toMatchObject({ replayed: true, run: { job_id: jobIdOf(first) } });
  });

  test('waits for a submission that is being written, and knows its run', async () => {
    const key = newKey();
    const both = await whileWritten(async () => {
      const submission = submit(key);
      await untilWriting(1);
      const closing = closeIn(own.otherRuns, key);
      await expect
        .poll(() => statementsBlocked(own.database, 'insert into "idempotency_key"%'), IN_TIME)
        .toBe(1);
      return { submission, closing };
    });
    expect(await both.closing).toBe(jobIdOf(await both.submission));
  });
});

test('repeating a request while the first is being written starts one run, and both return it', async () => {
  const key = newKey();
  const { answers: responses } = await whileLocked(
    own.database,
    sql`lock table run in exclusive mode`,
    async () => {
      const both = Promise.all([submit(key), submitToOther(key)]);
      await untilWriting(2);
      return { answers: both };
    },
  );
  const [first, second] = await responses;
  expect(jobIdOf(first)).toBe(jobIdOf(second));
  expect([first, second].filter((response) => response.replayed)).toHaveLength(1);
});

test('a client whose answer was lost finds the written run under its key', async () => {
  const key = newKey();
  const leaving = new AbortController();
  const { lost } = await whileWritten(async () => {
    const submission = submit(key, leaving.signal);
    await untilWriting(1);
    leaving.abort();
    return { lost: submission };
  });
  const found = await submitToOther(key);
  expect(found.replayed).toBe(true);
  expect(jobIdOf(found)).toBe(jobIdOf(await lost));
});

test('all expired keys are removed, and the others are kept', async () => {
  const key = newKey();
  const kept = await submit(key);
  const old = Array.from({ length: 500 }, (_, i) => ({
    api_key_id: 'key_old',
    channel: 'api',
    key: `old-${i}`,
    fingerprint: 'f00d',
    job_id: 'job_old',
    created_at: new Date(Date.now() - 25 * 3_600_000),
  }));
  await own.database.insertInto('idempotency_key').values(old).execute();
  await own.sweeper.purge(new AbortController().signal);
  const left = await own.database
    .selectFrom('idempotency_key')
    .select('key')
    .where('api_key_id', '=', 'key_old')
    .execute();
  expect(left).toEqual([]);
  expect(jobIdOf(await submit(key))).toBe(jobIdOf(kept));
});

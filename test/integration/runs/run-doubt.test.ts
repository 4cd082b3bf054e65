import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { Submission } from '#services/models/runs.ts';
import { randomId } from '#shared/ids.ts';
import { testRuns } from '#support/services/test-runs.ts';
import { IN_TIME } from '#support/services/run-streams.ts';
import { statementsBlocked, whileLocked } from '#support/servers/while-locked.ts';

const own = testRuns();

/** The ids of a submission that a caller repeats until it knows the outcome. No other test has this key. */
const newSubmission = () => ({ submission_id: randomId('req'), api_key_id: randomId('key') });
const submit = (change: Partial<Submission>) => own.submitTo(own.runs, change);
const submitToOther = (change: Partial<Submission>) => own.submitTo(own.otherRuns, change);
const runsOf = ({ api_key_id }: { api_key_id: string }) => own.runs.newest(api_key_id, 100);
const refuse = ({ submission_id }: { submission_id: string }) =>
  own.parts.store.claimed.refuse(submission_id, new Date());
const REFUSED = { code: 'model_unavailable', isInDoubt: false };

describe('a submission repeated under its id', () => {
  test('returns the run it started, from any process, and is not reported as a replay', async () => {
    const submission = newSubmission();
    const first = await submit(submission);
    const again = await submitToOther(submission);
    expect([again.replayed, again.run.job_id]).toEqual([false, first.run.job_id]);
    expect(await runsOf(submission)).toHaveLength(1);
  });

  test('starts one run, however many attempts arrive at once', async () => {
    for (let round = 0; round < 5; round++) {
      const submission = newSubmission();
      const attempts = Array.from({ length: 8 }, (_, at) => (at % 2 ? submit : submitToOther)(submission));
      const jobs = (await Promise.all(attempts)).map(({ run }) => run.job_id);
      expect(new Set(jobs).size).toBe(1);
      expect(await runsOf(submission)).toHaveLength(1);
    }
  });

  test('is found only by its own key', async () => {
    const submission = newSubmission();
    await submit(submission);
    await expect(submit({ ...submission, api_key_id: randomId('key') })).rejects.toMatchObject(REFUSED);
  });

  test('that repeats an Idempotency-Key is a replay every time', async () => {
    const [first, second] = [newSubmission(), newSubmission()];
    const key = { idempotency_key: randomId('req'), api_key_id: first.api_key_id };
    const { run } = await submit({ ...first, ...key });
    for (let attempt = 0; attempt < 2; attempt++) {
      const response = await submit({ ...second, ...key });
      expect([response.replayed, response.run.job_id]).toEqual([true, run.job_id]);
    }
  });
});

describe('a refused submission', () => {
  test('starts no run later, and leaves its Idempotency-Key to the next request', async () => {
    const submission = { ...newSubmission(), idempotency_key: randomId('req') };
    await refuse(submission);
    await expect(submit(submission)).rejects.toMatchObject(REFUSED);
    expect(await runsOf(submission)).toEqual([]);
    const next = await submit({ ...submission, submission_id: randomId('req') });
    expect(next.replayed).toBe(false);
  });

  test('starts no run when it is refused during its statement', async () => {
    const submission = newSubmission();
    const { refused } = await whileLocked(own.database, sql`lock table run in exclusive mode`, async () => {
      const failure = expect(submit(submission)).rejects.toMatchObject(REFUSED);
      const pattern = 'with "submitted" as (insert%';
      await expect.poll(() => statementsBlocked(own.database, pattern), IN_TIME).toBe(1);
      await refuse(submission);
      return { refused: failure };
    });
    await refused;
    expect(await runsOf(submission)).toEqual([]);
  });

  test('keeps its run when it had already started one', async () => {
    const submission = newSubmission();
    const first = await submit(submission);
    await refuse(submission);
    expect((await submit(submission)).run.job_id).toBe(first.run.job_id);
  });

  test('is what a late submission becomes, so that no later attempt starts a run', async () => {
    const submission = newSubmission();
    const inTime = { channel: 'api', end_user: 'alice', request_id: 'req_1', view: 'full', params: {} };
    const tooLate = own.runs.submit(
      { ...submission, ...inTime, model_id: 'confluence_filter' },
      { signal: new AbortController().signal, remainingMs: 100 },
    );
    await expect(tooLate).rejects.toMatchObject(REFUSED);
    await expect(submit(submission)).rejects.toMatchObject(REFUSED);
    expect(await runsOf(submission)).toEqual([]);
  });
});

test('submissions are kept for one hour', async () => {
  const submission = newSubmission();
  await submit(submission);
  const { claimed } = own.parts.store;
  const isKept = async () =>
    (await claimed.madeBySubmission(submission.submission_id, submission.api_key_id)) !== undefined;
  const inAnHour = new Date(Date.now() + 3_600_000 - 60_000);
  await claimed.removeExpired(inAnHour, new AbortController().signal);
  expect(await isKept()).toBe(true);
  await claimed.removeExpired(new Date(inAnHour.getTime() + 120_000), new AbortController().signal);
  expect(await isKept()).toBe(false);
  expect(await runsOf(submission)).toHaveLength(1);
});

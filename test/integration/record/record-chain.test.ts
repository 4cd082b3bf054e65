import { type RawBuilder, sql } from 'kysely';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { RecordedPicks } from '#proto/saring/events/v1/runs.ts';
import { type Head, type RunBody } from '#services/models/store/record-chain.ts';
import { verify } from '#services/models/record/verification.ts';
import { createStores } from '#services/models/create-models.ts';
import { emptyRecord, recordedPicks, tamperWithRecord } from '#support/services/record.ts';
import { createLogger } from '#platform/operations/logger.ts';
import { testRuns } from '#support/services/test-runs.ts';
import { IN_TIME } from '#support/hangs.ts';

const own = testRuns();
const pickOf = (ticker: string, close: number) => ({
  ticker,
  close,
  entry_low: 0.99 * close,
  entry_high: 1.01 * close,
  stop: 0.95 * close,
  target: 1.1 * close,
  probability: 66.6,
  win_chance_pct: 31.2,
  base_rate_pct: 25.1,
});
const PICKS = recordedPicks([pickOf('AAAA', 1_234), pickOf('BBBB', 567)]);
const store = () => own.parts.record;
const verified = (known?: Head) => verify(store(), known);

/** A finished run with these picks. */
async function recorded(change: Partial<RecordedPicks> = {}) {
  const run = await own.accept();
  await own.reportEnd(run, 'succeeded', { ...PICKS, ...change });
  await own.untilStatus(run, 'succeeded');
  return own.rowOf(run);
}

/** Rows of further runs, copied from this one but for the entry that each names. Their ids are in the order of `seqs`. */
async function addRowsNaming(seqs: number[], { job_id }: { job_id: string }): Promise<void> {
  await sql`
    insert into run (job_id, event_id, api_key_id, end_user, channel, model_id, view, params, request_id, status,
      created_at, usage_published, recorded_picks, record_hash, record_seq)
    select 'job_twin_' || lpad(n::text, 4, '0'), 'ue_twin_' || n, api_key_id, end_user, channel, model_id, view, params,
      request_id, status, created_at, usage_published, recorded_picks, record_hash, seq
    from run cross join unnest(${seqs}::bigint[]) with ordinality as named (seq, n)
    where job_id = ${job_id}`.execute(own.database);
}

const tamper = (statement: RawBuilder<unknown>) => tamperWithRecord(own.database, statement);

beforeEach(async () => {
  await emptyRecord(own.database);
  await own.database.deleteFrom('run').execute();
});

describe('a succeeded run', () => {
  test('is recorded once with what its reader was shown, however often its end is reported', async () => {
    const run = await recorded();
    await own.reportEnd(run, 'succeeded', { ...PICKS, picks: [] });
    await own.reportEnd(run, 'failed');
    await own.untilReportsAreApplied();
    const entries = await store().entriesAfter(0, 10);
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({ seq: 1, kind: 'run', job_id: run.job_id, api_key_id: 'key_a' });
    expect(entries[0]!.body).toEqual({ ...PICKS, dataset_version: null, counts: true });
    expect(run).toMatchObject({ recorded_picks: 2, record_seq: '1', record_hash: entries[0]!.hash });
    expect(await verified()).toMatchObject({ entries: 1, runs: 1, picks: 2, problems: [] });
  });

  test('is not recorded before it succeeds, nor when it failed', async () => {
    const run = await own.accept();
    await own.reportStart(run);
    await own.reportEnd(run, 'failed');
    await own.untilStatus(run, 'failed');
    expect(await store().entriesAfter(0, 10)).toEqual([]);
  });

  test('stays running while its entry cannot be written, and is recorded afterwards', async () => {
    const run = await own.accept();
    await own.reportStart(run);
    await own.untilStatus(run, 'running');
    await sql`alter table record_entry rename to record_entry_away`.execute(own.database);
    await own.reportEnd(run, 'succeeded', PICKS);
    await vi.waitFor(async () => {
      const { num_redelivered } = await own.worker.jsm.consumers.info('RUN_EVENTS', 'models');
      expect(num_redelivered).toBeGreaterThan(0);
    }, IN_TIME);
    expect((await own.rowOf(run)).status).toBe('running');
    await sql`alter table record_entry_away rename to record_entry`.execute(own.database);
    await own.untilStatus(run, 'succeeded');
    expect(await verified()).toMatchObject({ entries: 1, problems: [] });
  });

  test('joins one unbroken chain, even when many runs end at once in two processes', async () => {
    const runs = await Promise.all(Array.from({ length: 40 }, () => own.accept()));
    await Promise.all(runs.map((run) => own.reportEnd(run, 'succeeded', PICKS)));
    await Promise.all(runs.map((run) => own.untilStatus(run, 'succeeded')));
    expect(await verified()).toMatchObject({ entries: 40, runs: 40, picks: 80, problems: [] });
  });
});

describe('whether picks count', () => {
  const counts = async () =>
    (await store().entriesAfter(0, 100)).flatMap(({ kind, body }) =>
      kind === 'run' ? [(body as RunBody).counts] : [],
    );
  const served = (last_date: string, dataset_kind = 'synthetic') =>
    store().appendVersion({ dataset_version: `${dataset_kind}-${last_date}`, dataset_kind, last_date });

  test('picks of a day before the last one of the data are history', async () => {
    await recorded({ as_of: '2026-09-29' });
    await recorded();
    expect(await counts()).toEqual([false, true]);
  });

  test('picks of a day after which a later one was served are history, even for an older version', async () => {
    await served('2026-09-30');
    await recorded();
    await served('2026-10-01');
    await recorded();
    await served('2026-09-30');
    await recorded();
    await recorded({ as_of: '2026-10-01', last_date: '2026-10-01' });
    expect(await counts()).toEqual([true, false, false, true]);
    expect((await verified()).problems).toEqual([]);
  });

  test('a synthetic market does not turn picks of the real one into history', async () => {
    await served('2026-10-01', 'synthetic');
    await recorded({ dataset_kind: 'real' });
    expect(await counts()).toEqual([true]);
  });
});

describe('verification', () => {
  test('finds an entry altered by the superuser in any column', async () => {
    const alterations = [
      sql`update record_entry set body = replace(body::text, '1234', '1235')::json where seq = 2`,
      sql`update record_entry set body = replace(body::text, 'true', 'false')::json where seq = 2`,
      sql`update record_entry set written_at = written_at - interval '1 day' where seq = 2`,
      sql`update record_entry set api_key_id = 'key_b' where seq = 2`,
      sql`update record_entry set model_id = 'model_f_combined' where seq = 2`,
      sql`update record_entry set job_id = 'job_0' where seq = 2`,
      sql`update record_entry set hash = previous_hash where seq = 2`,
      sql`update record_entry set previous_hash = hash where seq = 2`,
    ];
    for (const alteration of alterations) {
      await emptyRecord(own.database);
      await own.database.deleteFrom('run').execute();
      for (let i = 0; i < 3; i++) await recorded();
      expect((await verified()).problems).toEqual([]);
      await tamper(alteration);
      expect((await verified()).problems[0], alteration.compile(own.database).sql).toMatch(/entry [23]/);
    }
  });

  test('finds a removed entry: first, middle or last', async () => {
    for (const seq of [1, 2, 3]) {
      await emptyRecord(own.database);
      await own.database.deleteFrom('run').execute();
      for (let i = 0; i < 3; i++) await recorded();
      await tamper(sql`delete from record_entry where seq = ${seq}`);
      expect((await verified()).problems.join('; ')).toContain(`entry ${seq}`);
    }
  });

  test('finds, by an earlier head, newest entries removed with their runs', async () => {
    await recorded();
    const run = await recorded();
    const { head } = await verified();
    await tamper(sql`delete from record_entry where seq = 2`);
    await own.database.deleteFrom('run').where('job_id', '=', run.job_id).execute();
    expect((await verified()).problems).toEqual([]);
    expect((await verified(head)).problems).toEqual([
      'entry 2, which the given head names, is missing: newest entries were removed',
    ]);
    await recorded();
    expect((await verified(head)).problems).toEqual(['entry 2 is not the one that the given head names']);
  });

  test('finds an inserted entry, even one sealed with another secret', async () => {
    await recorded();
    await tamper(sql`insert into record_entry
      select 2, written_at, kind, model_id, api_key_id, 'job_f', body, hash, hash from record_entry`);
    expect((await verified()).problems).toEqual(['entry 2 was altered, or not written by this service']);
    await tamper(sql`delete from record_entry where seq = 2`);
    const forger = createStores(
      own.database,
      'another-secret-of-a-test',
      createLogger('test', 'silent'),
    ).store;
    const run = await own.accept();
    await forger.end(run.job_id, { status: 'succeeded', finished_at: new Date(), record: PICKS });
    expect((await verified()).problems).toEqual(['entry 2 was altered, or not written by this service']);
  });

  test('finds two run rows that name one entry, also on either side of a page of rows', async () => {
    const run = await recorded();
    // With the run's own row, the first page of 500 ends between the last two of these.
    const seqs = Array.from({ length: 500 }, (_, i) => Math.min(i + 2, 500));
    await addRowsNaming(seqs, run);
    expect((await verified()).problems).toContain('runs job_twin_0499 and job_twin_0500 name one entry');
  });

  test.each([1, 2, 3, 4, 10])(
    'reads every run row once in pages of %i, however many name one entry',
    async (limit) => {
      const run = await recorded();
      await addRowsNaming([2, 2, 2, 2, 3, 3, 4], run);
      const read: string[] = [];
      for (let after = { seq: 0, jobId: '' }; ;) {
        const page = await store().runsOnRecordAfter(after, limit);
        read.push(...page.map(({ seq, job_id }) => `${seq} ${job_id}`));
        if (page.length < limit) break;
        after = { seq: page.at(-1)!.seq, jobId: page.at(-1)!.job_id };
      }
      const twins = [2, 2, 2, 2, 3, 3, 4].map((seq, i) => `${seq} job_twin_000${i + 1}`);
      expect(read).toEqual([`1 ${run.job_id}`, ...twins]);
    },
  );

  test('finds a run row that claims another entry or other picks', async () => {
    const run = await recorded();
    await own.database
      .updateTable('run')
      .set({ recorded_picks: 1 })
      .where('job_id', '=', run.job_id)
      .execute();
    expect((await verified()).problems).toEqual([`entry 1 is not the one that run ${run.job_id} wrote`]);
  });
});

test('no session can change or remove an entry while the trigger exists', async () => {
  await recorded();
  const refused = /can be added and never changed/;
  await expect(sql`update record_entry set kind = 'version'`.execute(own.database)).rejects.toThrow(refused);
  await expect(sql`delete from record_entry`.execute(own.database)).rejects.toThrow(refused);
  await expect(sql`truncate record_entry`.execute(own.database)).rejects.toThrow(refused);
});

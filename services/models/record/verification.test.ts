import { expect, test } from 'vitest';
import type { RunOnRecord } from '../store/record-store.ts';
import { verify } from './verification.ts';

/** As many rows as the store returns at a time. */
const PAGE = 500;

test('two run rows that name one entry are noted, also on either side of a page', async () => {
  const rows: RunOnRecord[] = Array.from({ length: PAGE + 2 }, (_, i) => ({
    job_id: `job_${String(i).padStart(4, '0')}`,
    picks: 0,
    // The last row of the first page and the first of the second.
    seq: i < PAGE ? i + 1 : i,
    hash: '',
  }));
  const store = {
    secret: 'secret',
    entriesAfter: () => Promise.resolve([]),
    runsOnRecordAfter: (after: { seq: number; jobId: string }, limit: number) =>
      Promise.resolve(
        rows
          .filter(({ seq, job_id }) => seq > after.seq || (seq === after.seq && job_id > after.jobId))
          .slice(0, limit),
      ),
  };
  const { problems } = await verify(store);
  expect(problems).toContain('runs job_0499 and job_0500 name one entry');
});

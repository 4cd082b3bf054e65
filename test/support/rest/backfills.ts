import { vi } from 'vitest';
import { IN_TIME } from '../hangs.ts';
import type { Rest } from './rest.ts';

export interface BackfillBody {
  backfill_id: string;
  status: string;
  days_total: number;
  days_done: number;
  days_failed: number;
  [member: string]: unknown;
}

/** Starts a backfill of one day and waits until it has ended. */
export async function endedBackfill(rest: Rest, day: string): Promise<BackfillBody> {
  const path = '/api/v1/models/confluence_filter/backfills';
  const { body } = await rest.post<BackfillBody>(path, { from: day, to: day }, { endUser: 'history' });
  return untilEnded(rest, body.backfill_id);
}

export async function untilEnded(rest: Rest, backfillId: string): Promise<BackfillBody> {
  const check = async () => {
    const { status, body } = await rest.get<BackfillBody>(`/api/v1/backfills/${backfillId}`);
    if (status !== 200) throw new Error(`got ${status}`);
    if (body.status === 'running') throw new Error(`${body.days_done} of ${body.days_total} days are done`);
    return body;
  };
  return vi.waitFor(check, IN_TIME);
}
